// Read by Eigen itself on 64-bit Arm, within a class of its own (EIGEN_MATRIXBASE_PLUGIN) before its
// product of matrices: which is to round each product and to sum in the order of x86-64.
#undef EIGEN_HAS_SINGLE_INSTRUCTION_MADD
#define vfmaq_n_f64(sum, a, b) ((sum) + (a) * (b))
#define vfmaq_laneq_f64(sum, a, b, lane) ((sum) + (a) * (b)[lane])
