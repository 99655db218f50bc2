// Right formulas as books, courses and programs write them, and each of them with a mistake.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/paths.hpp"
#include "symbolic/verify.hpp"

namespace armdyn {
namespace {

struct Dialect {
  const char *name, *robot;
  std::size_t formulas;  ///< that have a verdict
  const char* sheet;
  const char* unread = "";  ///< what costs itself alone
};

constexpr Dialect dialects[] = {
    {"Craig, chapter 6", "craig-rr", 23, R"(
The mass matrix of (6.57) and what follows from it:
\begin{equation}
M(\Theta) = \begin{bmatrix} l_2^2 m_2 + 2 l_1 l_2 m_2 c_2 + l_1^2 (m_1 + m_2) & l_2^2 m_2 + l_1 l_2 m_2 c_2 \\
  l_2^2 m_2 + l_1 l_2 m_2 c_2 & l_2^2 m_2 \end{bmatrix}
\end{equation}
\[ V(\Theta, \dot\Theta) = \begin{bmatrix} - m_2 l_1 l_2 s_2 \dot\theta_2^2 - 2 m_2 l_1 l_2 s_2 \dot\theta_1 \dot\theta_2 \\
  m_2 l_1 l_2 s_2 \dot\theta_1^2 \end{bmatrix}, \quad
  G(\Theta) = \begin{bmatrix} m_2 l_2 g c_{12} + (m_1 + m_2) l_1 g c_1 \\ m_2 l_2 g c_{12} \end{bmatrix} \;[\mathrm{N\,m}] \]
\[ \tau = M(\Theta) \ddot{\Theta} + V(\Theta, \dot\Theta) + G(\Theta), \quad
   K = \frac{1}{2} \dot\Theta^T M(\Theta) \dot\Theta \]
\begin{align}
B(\Theta) &= \begin{bmatrix} -2 m_2 l_1 l_2 s_2 \\ 0 \end{bmatrix}, &
C(\Theta) &= \begin{bmatrix} 0 & -m_2 l_1 l_2 s_2 \\ m_2 l_1 l_2 s_2 & 0 \end{bmatrix} \\
k_1 &\equiv \tfrac12 m_1 l_1^2 \dot\theta_1^2, &
u_1 &= m_1 g l_1 s_1 \\
u_2 &= m_2 g (l_1 s_1 + l_2 \sin \theta_{12}), \\
{}^1\dot v_1 &= \begin{bmatrix} g s_1 \\ g c_1 \\ 0 \end{bmatrix}
\end{align})",
     R"(\[ M(\Theta) \ddot\Theta + V^{-1} = \tau, \quad k = \sum_i k_i, \quad
{}^1\omega_1 = {}^1_0R\,{}^0\omega_0 + \dot\theta_1 {}^1\hat Z_1 \])"},
    {"Lagrange's equations and sums", "craig-rr", 39, R"(
\[ K = \sum_{i=1}^{2} k_i, \quad U = \sum\limits_i u_i, \quad L = K - U \]
\begin{align}
k_1 &= \tfrac12 m_1 l_1^2 \dot\theta_1^2, & u_1 &= m_1 g l_1 s_1, & u_2 &= m_2 g (l_1 s_1 + l_2 s_{12}) \\
k_2 &= \tfrac12 m_2 (l_1^2 \dot\theta_1^2 + l_2^2 (\dot\theta_1 + \dot\theta_2)^2 + 2 l_1 l_2 c_2 \dot\theta_1 (\dot\theta_1 + \dot\theta_2))
\end{align}
\[ \frac{d}{dt} \frac{\partial L}{\partial \dot\theta_1} - \frac{\partial L}{\partial \theta_1} = \tau_1, \quad
   \frac{\mathrm{d}}{\mathrm{d}t} \left( \frac{\partial L}{\partial \dot q} \right) - \frac{\partial L}{\partial q} = \tau \]
\[ \frac{\partial L}{\partial \dot\theta_2} = m_2 l_2^2 (\dot\theta_1 + \dot\theta_2) + m_2 l_1 l_2 c_2 \dot\theta_1, \quad
   \frac{\partial}{\partial \theta_2} U = G_2, \quad G_1 = \partial U/\partial q_1 \]
\[ G(\Theta) = \frac{\partial U}{\partial \Theta}, \quad \frac{\partial u_2}{\partial \theta_2} = m_2 g l_2 c_{12} \]
\[ J_{v_1} = l_1 \begin{bmatrix} -s_1 & 0 \\ c_1 & 0 \end{bmatrix}, \quad
   J_{v_2} = \begin{bmatrix} -l_1 s_1 - l_2 s_{12} & -l_2 s_{12} \\ l_1 c_1 + l_2 c_{12} & l_2 c_{12} \end{bmatrix} \]
\[ M(\Theta) = \sum_{i=1}^{n} m_i J_{v_i}^T J_{v_i} \]
\[ B = \begin{bmatrix} -2 m_2 l_1 l_2 s_2 \\ 0 \end{bmatrix}, \quad
   C = \begin{bmatrix} 0 & -m_2 l_1 l_2 s_2 \\ m_2 l_1 l_2 s_2 & 0 \end{bmatrix} \]
\[ V(\Theta,\dot\Theta) = B(\Theta) \left[ \dot\Theta \dot\Theta \right] + C(\Theta) [\dot{\Theta}^2], \quad
   {}^1\omega_1 = \dot\theta_1 {}^1\hat Z_1 \])",
     R"(\[ \tau_i = \frac{d}{dt} \frac{\partial L}{\partial \dot q_i} - \frac{\partial L}{\partial q_i}, \quad
{}^0\omega_1 = \dot\theta_1 {}^0\hat Z_1, \quad \hat m = m_2, \quad \tau_2 = \frac{\partial L}{\partial l_1} \])"},
    {"Transforms between any links", "craig-3r", 72, R"(
\[ {}^0_1T = \begin{bmatrix} c_1 & -s_1 & 0 & 0 \\ s_1 & c_1 & 0 & 0 \\ 0 & 0 & 1 & 0 \\ 0 & 0 & 0 & 1 \end{bmatrix}, \quad
   {}^{1}_{2}T = \begin{bmatrix} c_2 & -s_2 & 0 & l_1 \\ s_2 & c_2 & 0 & 0 \\ 0 & 0 & 1 & 0 \\ 0 & 0 & 0 & 1 \end{bmatrix} \]
\[ {}^{2}T_{3} = \begin{bmatrix} c_3 & -s_3 & 0 & l_2 \\ s_3 & c_3 & 0 & 0 \\ 0 & 0 & 1 & 0 \\ 0 & 0 & 0 & 1 \end{bmatrix}, \quad
   {}^0_2T = {}^0_1T \, {}^1_2T, \quad T^0_3 = {}^0T_2 {}^2T_3 \]
\[ {}^1T_3 = \begin{bmatrix} c_{23} & -s_{23} & 0 & l_1 + l_2 c_2 \\ s_{23} & c_{23} & 0 & l_2 s_2 \\ 0 & 0 & 1 & 0 \\ 0 & 0 & 0 & 1 \end{bmatrix} \])"},
    {"CS223A", "craig-rp", 36, R"(
\[ J_{v_1} = \left[\begin{array}{cc} -l_1 s_1 & 0 \\ l_1 c_1 & 0 \\ 0 & 0 \end{array}\right], \quad
   J_{\omega_1} = \left[\begin{array}{cc} 0 & 0 \\ 0 & 0 \\ 1 & 0 \end{array}\right] \]
\[ J_{v_2} = \begin{bmatrix} -d_2 s_1 & c_1 \\ d_2 c_1 & s_1 \\ 0 & 0 \end{bmatrix}, \quad
   J_{\omega_2} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 1 & 0 \end{bmatrix} \]
\[ M = m_1 J_{v_1}^T J_{v_1} + J_{\omega_1}^T I_1 J_{\omega_1} + m_2 J_{v_2}^T J_{v_2} + J_{\omega_2}^T I_2 J_{\omega_2} \]
\[ V = \begin{bmatrix} 2 m_2 d_2 \\ 0 \end{bmatrix} \dot\theta_1 \dot d_2 +
   \begin{bmatrix} 0 & 0 \\ -m_2 d_2 & 0 \end{bmatrix} \begin{bmatrix} \dot\theta_1^2 \\ \dot d_2^2 \end{bmatrix} \]
\[ m_{11} = m_1 l_1^2 + I_1 + m_2 d_2^2 + I_2, \quad m_{22} = m_2 \]
\[ b_{112} = m_2 d_2, \quad b_{211} = -m_2 d_2 \]
\[ G = \left[\begin{array}{c} (m_1 l_1 + m_2 d_2) g c_1 \\ m_2 g s_1 \end{array}\right] \])",
     R"(\[ M = m_1 J_{v_1} J_{v_1} + M, \quad
   {}^0p_{C_1} = \begin{bmatrix} l_1 c_1 \\ l_1 s_1 \\ 0 \end{bmatrix} \])"},
    {"Siciliano, chapter 7, motors on the links", "siciliano-rr", 16, R"(
\[ b_{11}(\vartheta_2) = I_{\ell_1} + m_{\ell_1} \ell_1^2 + k_{r1}^2 I_{m_1} + I_{\ell_2}
   + m_{\ell_2} (a_1^2 + \ell_2^2 + 2 a_1 \ell_2 c_2) + I_{m_2} + m_{m_2} a_1^2 \]
\begin{align}
b_{12}(\vartheta_2) &= b_{21}(\vartheta_2) = I_{\ell_2} + m_{\ell_2} (\ell_2^2 + a_1 \ell_2 c_2) + k_{r2} I_{m_2} \\
b_{22} &= I_{\ell_2} + m_{\ell_2} \ell_2^2 + k_{r2}^2 I_{m_2} \\
h &= -m_{\ell_2} a_1 \ell_2 s_2 \\
c_{111} &= 0, \quad
c_{112} = c_{121} = -m_{\ell_2} a_1 \ell_2 s_2 \\
c_{211} &= m_{\ell_2} a_1 \ell_2 s_2 \\
C(q, \dot q) &= \begin{bmatrix} h \dot\vartheta_2 & h (\dot\vartheta_1 + \dot\vartheta_2) \\ -h \dot\vartheta_1 & 0 \end{bmatrix} \\
g_1 &= (m_{\ell_1} \ell_1 + m_{m_2} a_1 + m_{\ell_2} a_1) g c_1 + m_{\ell_2} \ell_2 g c_{12} \\
g_2 &= m_{\ell_2} \ell_2 g c_{12} \quad [\text{N m}]
\end{align}
\begin{align}
(I_{\ell_2} + m_{\ell_2} (\ell_2^2 + a_1 \ell_2 c_2) + k_{r2} I_{m_2}) \ddot\vartheta_1 & \\
+ (I_{\ell_2} + m_{\ell_2} \ell_2^2 + k_{r2}^2 I_{m_2}) \ddot\vartheta_2 & \\
+ m_{\ell_2} a_1 \ell_2 s_2 \dot\vartheta_1^2 + m_{\ell_2} \ell_2 g c_{12} &= \tau_2
\end{align})",
     R"(\[ c_{111} = \frac{1}{2} \frac{\partial b_{11}}{\partial q_1}, \quad
   J_P^{(\ell_1)} = \begin{bmatrix} -\ell_1 s_1 & 0 \\ \ell_1 c_1 & 0 \\ 0 & 0 \end{bmatrix}, \quad
   J_O^{(m_2)} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 1 & k_{r2} \end{bmatrix} \])"},
    {"Spong", "two-link-spong", 11, R"(
\begin{align*}
d_{11} &= m_1 l_{c1}^2 + m_2 (l_1^2 + l_{c2}^2 + 2 l_1 l_{c2} \cos q_2) \\
d_{12} &= d_{21} = m_2 (l_{c2}^2 + l_1 l_{c2} \cos q_2) \\
d_{22} &= m_2 l_{c2}^2 \\
c_{121} &= c_{211} = -m_2 l_1 l_{c2} \sin q_2 \\
c_{221} &= -m_2 l_1 l_{c2} \sin q_2, \quad c_{112} = m_2 l_1 l_{c2} \sin q_2 \\
P &= (m_1 l_{c1} + m_2 l_1) g \sin q_1 + m_2 l_{c2} g \sin(q_1 + q_2) \\
g_1 &= (m_1 l_{c1} + m_2 l_1) g \cos q_1 + m_2 l_{c2} g \cos(q_1 + q_2) \\
\tau_2 &= d_{21} \ddot q_1 + d_{22} \ddot q_2 + m_2 l_1 l_{c2} \sin q_2\, \dot q_1^2 + m_2 l_{c2} g \cos(q_1 + q_2)
\end{align*})"},
    {"Lynch and Park", "craig-rr", 8, R"(
\[ M(\theta) = \begin{bmatrix} m_1 l_1^2 + m_2 (l_1^2 + 2 l_1 l_2 \cos\theta_2 + l_2^2) & m_2 (l_1 l_2 \cos\theta_2 + l_2^2) \\
   m_2 (l_1 l_2 \cos\theta_2 + l_2^2) & m_2 l_2^2 \end{bmatrix} \]
\[ c(\theta, \dot\theta) = \begin{bmatrix} -m_2 l_1 l_2 \sin\theta_2 (2 \dot\theta_1 \dot\theta_2 + \dot\theta_2^2) \\
   m_2 l_1 l_2 \dot\theta_1^2 \sin\theta_2 \end{bmatrix} \]
\[ g(\theta) = \begin{bmatrix} (m_1 + m_2) l_1 g \cos\theta_1 + m_2 g l_2 c_{12} \\
   m_2 g l_2 c_{12} \end{bmatrix} \])"},
    {"De Luca, coefficients of the sheet", "craig-rr", 6, R"(
\begin{align}
a_1 &= (m_1 + m_2) l_1^2, & a_2 &= m_2 l_1 l_2, & a_3 &= m_2 l_2^2 \\
a_4 &= g (m_1 + m_2) l_1, & a_5 &= g m_2 l_2 \\
M(q) &= \begin{pmatrix} a_1 + a_3 + 2 a_2 c_2 & a_3 + a_2 c_2 \\ * & a_3 \end{pmatrix} \\
V_2 &= a_2 s_2 \dot q_1^2, & g_2 &= a_5 c_{12} \\
U &= a_4 s_1 + a_5 s_{12}
\end{align})"},
    {"De Luca, vectors", "craig-rr", 14, R"(
\begin{eqnarray}
a_1 &=& m_1 l_1^2 + m_2 (l_1^2 + l_2^2) \\
a_2 &=& m_2 l_1 l_2 \\
a_3 &=& m_2 l_2^2
\end{eqnarray}
\[ M(q) = \left( \begin{array}{cc} a_1 + 2 a_2 \cos q_2 & a_3 + a_2 \cos q_2 \\ \mbox{symm} & a_3 \end{array} \right) \]
\[ c(q,\dot q) = \left( \begin{array}{c} - a_2 \sin q_2 \, (\dot q_2^2 + 2 \dot q_1 \dot q_2) \\ a_2 \sin q_2 \, \dot q_1^2 \end{array} \right) \]
\[ g(q) = g_0 \left( \begin{array}{c} (m_1 + m_2) l_1 \cos q_1 + m_2 l_2 \cos(q_1+q_2) \\ m_2 l_2 \cos(q_1+q_2) \end{array} \right), \qquad g_0 = g \]
\[ T_1 = \frac{1}{2} m_1 l_1^2 \dot q_1^2, \quad
   T_2 = \frac{1}{2} m_2 \left( l_1^2 \dot q_1^2 + l_2^2 (\dot q_1 + \dot q_2)^2 + 2 l_1 l_2 \cos q_2 \, \dot q_1 (\dot q_1 + \dot q_2) \right), \quad T = T_1 + T_2 \]
\[ U_1 = m_1 g_0 l_1 \sin q_1, \qquad U_2 = m_2 g_0 (l_1 \sin q_1 + l_2 \sin(q_1+q_2)) \]
\[ M(q) \ddot q + c(q,\dot q) + g(q) = u \])"},
    {"Jacobians of links", "craig-rr", 27, R"(
\begin{align}
J_{v_1} &= \begin{bmatrix} -l_1 s_1 & 0 \\ l_1 c_1 & 0 \\ 0 & 0 \end{bmatrix} \\
J_{v_2} &= \begin{bmatrix} -l_1 s_1 - l_2 s_{12} & -l_2 s_{12} \\ l_1 c_1 + l_2 c_{12} & l_2 c_{12} \\ 0 & 0 \end{bmatrix} \\
M &= m_1 J_{v_1}^T J_{v_1} + m_2 J^T_{v_2} J_{v_2}, \quad K = \tfrac12 \dot{\mathbf{q}}^T M \dot{\mathbf{q}} \\
G &= -J_{v_1}^{\top} m_1 g_0 - J_{v_2}^{\mathsf T} m_2 g_0, \quad g_0 = \begin{bmatrix} 0 & -g & 0 \end{bmatrix}^T \\
h &= m_2 l_1 l_2 \sin q_2 \\
C &= \begin{bmatrix} -h \dot q_2 & -h (\dot q_1 + \dot q_2) \\ h \dot q_1 & 0 \end{bmatrix}, \quad V = C \dot q \\
M(q) \ddot{q} &+ C(q, \dot q) \dot{q} + G(q) = \tau
\end{align})"},
    {"Products of transforms", "two-link-spong", 52, R"(
\[ A_1 = \begin{bmatrix} c_1 & -s_1 & 0 & l_1 c_1 \\ s_1 & c_1 & 0 & l_1 s_1 \\ 0 & 0 & 1 & 0 \\ 0 & 0 & 0 & 1 \end{bmatrix}, \quad
   A_2 = \begin{bmatrix} c_2 & -s_2 & 0 & l_2 c_2 \\ s_2 & c_2 & 0 & l_2 s_2 \\ 0 & 0 & 1 & 0 \\ 0 & 0 & 0 & 1 \end{bmatrix}, \quad
   T = A_1 A_2 \]
\[ D(q) = m_1 J_{v_{c1}}^T J_{v_{c1}} + m_2 J_{v_{c2}}^T J_{v_{c2}}, \quad
   J_{v_{c1}} = \frac{l_1}{2} \begin{bmatrix} -\sin q_1 & 0 \\ \cos q_1 & 0 \\ 0 & 0 \end{bmatrix} \]
\[ J_{v_{c2}} = \begin{bmatrix} -l_1 \sin q_1 - \frac{l_2}{2} \sin(q_1+q_2) & -\frac{l_2}{2} \sin(q_1+q_2) \\
   l_1 \cos q_1 + \frac{l_2}{2} \cos(q_1+q_2) & \frac{l_2}{2} \cos(q_1+q_2) \\ 0 & 0 \end{bmatrix} \])"},
    {"Tensors in axes of links", "two-link-rods", 28, R"(
\[ R_1 = \begin{bmatrix} c_1 & -s_1 & 0 \\ s_1 & c_1 & 0 \\ 0 & 0 & 1 \end{bmatrix}, \quad
   \mathcal{I}_1 = \begin{bmatrix} 0 & 0 & 0 \\ 0 & I_1 & 0 \\ 0 & 0 & I_1 \end{bmatrix} \]
\[ J_{\omega_1} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 1 & 0 \end{bmatrix}, \quad
   J_{v_1} = \frac{l_1}{2} \begin{bmatrix} -s_1 & 0 \\ c_1 & 0 \\ 0 & 0 \end{bmatrix}, \quad
   J_{\omega_2} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 1 & 1 \end{bmatrix} \]
\[ J_{v_2} = \begin{bmatrix} -l_1 s_1 - \frac{l_2}{2} s_{12} & -\frac{l_2}{2} s_{12} \\
   l_1 c_1 + \frac{l_2}{2} c_{12} & \frac{l_2}{2} c_{12} \\ 0 & 0 \end{bmatrix} \]
\[ B(q) = m_1 J_{v_1}^T J_{v_1} + J_{\omega_1}^T R_1 \mathcal{I}_1 R_1^T J_{\omega_1} + m_2 J_{v_2}^T J_{v_2} + I_2 J_{\omega_2}^T J_{\omega_2} \])"},
    {"MATLAB, matrices", "craig-rr", 17, R"(Jv1 = [-l1*sin(q1), 0; l1*cos(q1), 0; 0, 0];
Jv2 = [-l1*sin(q1) - l2*sin(q1 + q2), -l2*sin(q1 + q2); l1*cos(q1) + l2*cos(q1 + q2), l2*cos(q1 + q2); 0, 0];
M = m1*Jv1'*Jv1 + m2*Jv2'*Jv2;
dq = [dq1; dq2];
K = 1/2*dq'*M*dq;)"},
    {"SymPy, matrices", "craig-rr", 4, R"(J1 = Matrix([[-l1*sin(q1), 0], [l1*cos(q1), 0]])
J2 = Matrix([[-l1*sin(q1) - l2*sin(q1 + q2), -l2*sin(q1 + q2)], [l1*cos(q1) + l2*cos(q1 + q2), l2*cos(q1 + q2)]])
M = m1*J1.T*J1 + m2*J2.T*J2)"},
    {"Siciliano, chapter 7, Jacobians of links and motors", "siciliano-rr", 18, R"(
\begin{equation}
J_P^{(\ell_1)} = \begin{bmatrix} -\ell_1 s_1 & 0 \\ \ell_1 c_1 & 0 \\ 0 & 0 \end{bmatrix} \qquad
J_P^{(\ell_2)} = \begin{bmatrix} -a_1 s_1 - \ell_2 s_{12} & -\ell_2 s_{12} \\ a_1 c_1 + \ell_2 c_{12} & \ell_2 c_{12} \\ 0 & 0 \end{bmatrix}
\end{equation}
\[ J_O^{(\ell_1)} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 1 & 0 \end{bmatrix} \qquad
   J_O^{(\ell_2)} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 1 & 1 \end{bmatrix} \]
\[ J_P^{(m_2)} = \begin{bmatrix} -a_1 s_1 & 0 \\ a_1 c_1 & 0 \\ 0 & 0 \end{bmatrix} \qquad
   J_O^{(m_1)} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ k_{r1} & 0 \end{bmatrix} \qquad
   J_O^{(m_2)} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 1 & k_{r2} \end{bmatrix} \]
\[ B(q) = m_{\ell_1} J_P^{(\ell_1)T} J_P^{(\ell_1)} + m_{\ell_2} J_P^{(\ell_2)T} J_P^{(\ell_2)}
   + m_{m_2} J_P^{(m_2)\,T} J_P^{(m_2)} + I_{\ell_1} J_O^{(\ell_1)\top} J_O^{(\ell_1)}
   + I_{\ell_2} J_O^{(\ell_2)T} J_O^{(\ell_2)} + I_{m_1} J_O^{(m_1)T} J_O^{(m_1)}
   + I_{m_2} J_O^{(m_2)T} J_O^{(m_2)} \]
\begin{align*}
b_{11} &= I_{\ell_1} + m_{\ell_1} \ell_1^2 + k_{r1}^2 I_{m_1} + I_{\ell_2}
   + m_{\ell_2} (a_1^2 + \ell_2^2 + 2 a_1 \ell_2 c_2) + I_{m_2} + m_{m_2} a_1^2 \\
b_{21} &= I_{\ell_2} + m_{\ell_2} (\ell_2^2 + a_1 \ell_2 c_2) + k_{r2} I_{m_2} \\
c_{112} &= c_{121} = \frac{1}{2} \frac{\partial b_{11}}{\partial q_2} = -m_{\ell_2} a_1 \ell_2 s_2 = h \\
c_{211} &= \frac{\partial b_{21}}{\partial q_1} - \frac{1}{2} \frac{\partial b_{11}}{\partial q_2} = -h
\end{align*}
\[ C(q, \dot q) = \begin{bmatrix} h \dot\vartheta_2 & h (\dot\vartheta_1 + \dot\vartheta_2) \\ -h \dot\vartheta_1 & 0 \end{bmatrix} \])",
     R"(\[ J_P^{(m_1)} = \begin{bmatrix} 0 & 0 \\ 0 & 0 \\ 0 & 0 \end{bmatrix} \])"},
    {"Murray, Li and Sastry", "craig-rr", 2, R"(
\[
\begin{bmatrix} \alpha + 2 \beta c_2 & \delta + \beta c_2 \\ \delta + \beta c_2 & \delta \end{bmatrix}
\begin{bmatrix} \ddot\theta_1 \\ \ddot\theta_2 \end{bmatrix} +
\begin{bmatrix} -\beta s_2 \dot\theta_2 & -\beta s_2 (\dot\theta_1 + \dot\theta_2) \\ \beta s_2 \dot\theta_1 & 0 \end{bmatrix}
\begin{bmatrix} \dot\theta_1 \\ \dot\theta_2 \end{bmatrix} + N = \begin{bmatrix} \tau_1 \\ \tau_2 \end{bmatrix},
\]
where
\begin{align*}
\alpha &= m_1 l_1^2 + m_2 (l_1^2 + l_2^2) \\
\beta &= m_2 l_1 l_2 \\
\delta &= m_2 l_2^2 \\
N &= \begin{bmatrix} (m_1 + m_2) l_1 g \cos\theta_1 + m_2 l_2 g \cos(\theta_1 + \theta_2) \\ m_2 l_2 g \cos(\theta_1 + \theta_2) \end{bmatrix}
\end{align*})"},
    {"Gravity as a vector", "craig-rr", 15, R"(
\[ \vec g = \begin{bmatrix} 0 \\ -g \\ 0 \end{bmatrix}, \quad
   p_{c1} = \begin{bmatrix} l_1 c_1 \\ l_1 s_1 \\ 0 \end{bmatrix}, \quad
   p_{c2} = \begin{bmatrix} l_1 c_1+l_2 c_{12} \\ l_1 s_1 + l_2 s_{12} \\ 0 \end{bmatrix} \]
\[ J_{v_1} = \begin{bmatrix} -l_1 s_1 & 0 \\ l_1 c_1 & 0 \\ 0 & 0 \end{bmatrix}, \quad
   J_{v_2} = \begin{bmatrix} -l_1 s_1 - l_2 s_{12} & -l_2 s_{12} \\ l_1 c_1 + l_2 c_{12} & l_2 c_{12} \\ 0 & 0 \end{bmatrix} \]
\[ G(\theta) = -J_{v_1}^T m_1 \vec g - J_{v_2}^T m_2 \vec g, \quad U = -m_1 \vec{g}^{\,T} p_{c1} - m_2 \vec{g}^{\,T} p_{c2} \])"},
    {"Gravity as a vector that no line defines", "craig-rp", 17, R"(
\[ J_{v_1} = \begin{pmatrix} -l_1 s_1 & 0 \\ l_1 c_1 & 0 \\ 0 & 0 \end{pmatrix},\;
   J_{v_2} = \begin{pmatrix} -d_2 s_1 & c_1 \\ d_2 c_1 & s_1 \\ 0 & 0 \end{pmatrix} \]
\[ G = -\left(J_{v_1}^T m_1 \vec{g} + J_{v_2}^T m_2 \vec{g}\right)
     = \begin{pmatrix} (m_1 l_1 + m_2 d_2)\, g\, c_1 \\ m_2\, g\, s_1 \end{pmatrix} \]
\[ \tau_2 = m_2 \ddot d_2 - m_2 d_2 \dot\theta_1^2 + m_2 g s_1 \])"},
    {"Regressor with parameters that are not independent", "two-link-spong", 1, R"(
\begin{align}
Y &= \begin{bmatrix} \ddot q_1 & c_2 (2 \ddot q_1 + \ddot q_2) - s_2 (\dot q_2^2 + 2 \dot q_1 \dot q_2) & \ddot q_1 + \ddot q_2 & g c_1 & g c_{12} \\
   0 & c_2 \ddot q_1 + s_2 \dot q_1^2 & \ddot q_1 + \ddot q_2 & 0 & g c_{12} \end{bmatrix} \\
a_1 &= \frac{m_1 l_1^2}{4} + m_2 l_1^2, \quad a_2 = \frac{m_2 l_1 l_2}{2}, \quad a_3 = \frac{m_2 l_2^2}{4} \\
a_4 &= \frac{m_1 l_1}{2} + m_2 l_1, \quad a_5 = \frac{m_2 l_2}{2}
\end{align})"},
    {"MATLAB, elements of vectors", "craig-rr", 12, R"(% dynamics of two links
function tau = dynamics(q, dq, ddq)
  h = -m2*l1*l2*sin(q(2));
  M = [l2^2*m2 + 2*l1*l2*m2*cos(q(2)) + l1^2*(m1 + m2), l2^2*m2 + l1*l2*m2*cos(q(2));
       l2^2*m2 + l1*l2*m2*cos(q(2)), l2^2*m2];
  C = [h*dq(2), h*(dq(1) + dq(2)); -h*dq(1), 0];
  G = [m2*l2*g*cos(q(1) + q(2)) + (m1 + m2)*l1*g*cos(q(1)); m2*l2*g*cos(q(1) + q(2))];
  tau = M*ddq + C*dq + G;
end)"},
    {"SymPy, th1", "craig-rr", 7, R"(import sympy as sp
from sympy import sin, cos
h = -m2*l1*l2*sin(th2)
M22 = m2*l2**2
C = sp.Matrix([[h*th2d, h*(th1d + th2d)], [-h*th1d, 0]])
G = sp.Matrix([(m1 + m2)*l1*g*cos(th1) + m2*l2*g*cos(th1 + th2), m2*l2*g*cos(th1 + th2)]))"},
    {"Mathematica", "craig-rr", 3, R"(M12 = m2 (l2^2 + l1 l2 Cos[q2])
G2 = m2 l2 g Cos[q1 + q2]
U = (m1 + m2) g l1 Sin[q1] + m2 g l2 Sin[q1 + q2])"},
    {"Homework, phi and =:", "craig-rr", 8, R"(
Homework 4, problem 2: dynamics of the arm
D12 = D21 = m2*(l2^2 + l1*l2*cos(theta2))   [kg m^2]
c121 = c211 = -m2*l1*l2*sin(theta2) =: h
c221 = h
c112 = -h
phi1 = (m1 + m2)*l1*g*cos(theta1) + m2*g*l2*cos(theta1 + theta2)
phi2 = m2*g*l2*cos(theta1 + theta2))"},
    {"MATLAB", "craig-rr", 9, R"(% two-link arm
M = [m2*l2^2 + 2*l1*l2*m2*cos(q2) + l1^2*(m1 + m2), m2*l2^2 + l1*l2*m2*cos(q2);
     m2*l2^2 + l1*l2*m2*cos(q2), m2*l2.^2];
V = [-m2*l1*l2*sin(q2)*(2*dq1*dq2 + dq2^2); m2*l1*l2*sin(q2)*dq1^2];
G(1) = m2*l2*g*cos(q1 + q2) + (m1 + m2)*l1*g*cos(q1);
tau2 = m2*l1*l2*cos(q2)*ddq1 + m2*l1*l2*sin(q2)*dq1^2 + m2*l2*g*cos(q1 + q2) + m2*l2^2*(ddq1 + ddq2);
U = (m1 + m2)*g*l1*sin(q1) + m2*g*l2*sin(q1 + q2);)"},
    {"Python, joints from 0", "craig-rr", 8, R"(# sympy
M = Matrix([[l1**2*m1 + 2*l0*l1*m1*cos(q1) + l0**2*(m0 + m1), l1**2*m1 + l0*l1*m1*cos(q1)],
            [l1**2*m1 + l0*l1*m1*cos(q1), l1**2*m1]])
G_0 = m1*l1*g*cos(q0 + q1) + (m0 + m1)*l0*g*cos(q0)
V_1 = l0*l1*m1*sin(q1)*q0dot**2
tau_1 = m1*l1**2*(q0ddot + q1ddot) + m1*l0*l1*cos(q1)*q0ddot + m1*l0*l1*sin(q1)*q0dot**2 + m1*l1*g*cos(q0 + q1)
J[vx,1] = -l1*sin(q0 + q1))"}};

SheetVerdicts verdicts(const Dialect& dialect, const std::string& sheet) {
  VerifyRequest request{.symbols = {Symbols::Which::parameters, {}},
                        .did_you_mean = [](const std::string&, const auto&) { return ""; }};
  if (dialect.name == std::string_view("Spong")) request.names = {{"lc1", "l1/2"}, {"lc2", "l2/2"}};
  const std::string folder = shipped_robots_folder() + "/";
  return verify(read_robot_file(folder + dialect.robot + ".yaml"), Sheet("sheet", sheet), request);
}

std::size_t count_of(const SheetVerdicts& found, Agreement agreement) {
  return static_cast<std::size_t>(
      std::ranges::count(found.formulas, agreement, &FormulaVerdict::agreement));
}

TEST(SheetDialects, ProveRightFormulas) {
  std::size_t all = 0;
  for (const Dialect& dialect : dialects) {
    const SheetVerdicts found = verdicts(dialect, std::string(dialect.sheet) + dialect.unread);
    for (const FormulaVerdict& one : found.formulas) {
      EXPECT_NE(one.agreement, Agreement::different) << dialect.name << ": " << one.entry;
    }
    const std::size_t equal =
        count_of(found, Agreement::equal) + count_of(found, Agreement::up_to_a_constant);
    EXPECT_EQ(equal, dialect.formulas) << dialect.name;
    EXPECT_EQ(found.counts_from_zero, std::string_view(dialect.name).ends_with("from 0"));
    EXPECT_EQ(count_of(found, Agreement::unread) > 0, *dialect.unread != '\0') << dialect.name;
    all += equal;
  }
  EXPECT_GE(all, 60U);
}

/// Places of + and - between terms, and of names of masses and inertias, of which none is zero.
std::vector<std::size_t> places_of_mistakes(std::string_view sheet) {
  std::vector<std::size_t> places;
  for (std::size_t at = sheet.find('='); at + 2 < sheet.size(); ++at) {
    const bool is_sign =
        sheet[at - 1] == ' ' && (sheet[at] == '+' || sheet[at] == '-') && sheet[at + 1] == ' ';
    const bool is_mass =
        sheet[at] == 'm' && (sheet[at + 1] == '_' || sheet[at + 1] == '1' || sheet[at + 1] == '2');
    const bool is_other = sheet[at - 1] == '{' || sheet[at - 1] == 'u' || sheet[at - 1] == '_' ||
                          sheet.substr(at - 3, 3) == "^{(" ||
                          sheet.substr(at).starts_with("m_{1") ||
                          sheet.substr(at).starts_with("m_{2");
    if (is_sign || (is_mass && !is_other)) places.push_back(at);
  }
  return places;
}

TEST(SheetDialects, FindWrongFormulas) {
  std::size_t all = 0;
  for (const Dialect& dialect : dialects) {
    for (const std::size_t at : places_of_mistakes(dialect.sheet)) {
      std::string sheet(dialect.sheet);
      const std::size_t line = sheet.find('\n', at);
      if (sheet[at] == 'm') {
        sheet.insert(at, "3*");
      } else {
        sheet[at] = sheet[at] == '+' ? '-' : '+';
      }
      const std::string changed = sheet.substr(at, line - at);
      const SheetVerdicts found = verdicts(dialect, sheet);
      EXPECT_EQ(count_of(found, Agreement::unread), 0U) << dialect.name << ": " << changed;
      ++all;
      EXPECT_GE(count_of(found, Agreement::different), 1U) << dialect.name << ": " << changed;
    }
  }
  EXPECT_GE(all, 200U);
}

}  // namespace
}  // namespace armdyn
