// The page of a report: its plots by uPlot, the arm on a canvas, and one time for both.
'use strict';
(() => {
  // Numbers from the text that `packed` of the program makes of them; short lists are lists.
  function unpacked(list) {
    const [order, divisor, text] = list;
    if (typeof text !== 'string') return list;
    const values = [], differences = [0];
    for (let at = 0, before = 0; at < text.length;) {
      let digit, whole = 0, place = 1;
      do {
        digit = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(text[at++]);
        whole += digit % 32 * place;
        place *= 32;
      } while (digit >= 32);
      if (whole === 1) { values.push(null); continue; }
      let k = Math.min(before++, order);
      for (differences[k] = whole % 2 ? (1 - whole) / 2 : whole / 2; k > 0; --k) differences[k - 1] += differences[k];
      values.push(differences[0] / divisor);
    }
    return values;
  }
  const { figures, styles, arm, adjustable, x_label, x_unit } = JSON.parse(document.getElementById('data').textContent);
  for (const curve of figures.flatMap(({ panels }) => panels).flatMap(({ curves }) => curves)) Object.assign(curve, { x: unpacked(curve.x), y: unpacked(curve.y) });
  if (arm) arm.q = arm.q.map(curve => curve.map(unpacked));
  const root = document.documentElement;
  let palette = new Map(); // of colors, until the color scheme changes
  const colour = name => palette.get(name) ?? palette.set(name, getComputedStyle(root).getPropertyValue('--' + name).trim()).get(name);
  // Significant digits that tell a value from one a step away, or more.
  const digits = (value, step, fewest) => Math.min(15, Math.max(fewest, 2 + Math.floor(Math.log10(Math.abs(value) / step || 1))));
  function short(value, count, most = 1e8) {
    const x = +value.toPrecision(count), size = Math.abs(x);
    return x && (size < 1e-4 || size >= most) ? x.toExponential() : `${x}`;
  }
  const brief = (value, unit, step) => value == null ? '–' : `${short(value, digits(value, step, 5))}${unit ? ' ' + unit : ''}`;
  const isRounding = (value, largest) => value != null && Math.abs(value) <= 1e-13 * largest;
  const make = (parent, tag, properties = {}) => parent.appendChild(Object.assign(document.createElement(tag), properties));
  const say = (element, text) => { if (element.textContent !== text) element.textContent = text; };
  const named = (label, unit) => unit ? `${label} [${unit}]` : label;

  // --- torques with other numbers of the robot: the program's formulas, on blocks of rows
  function torqueModel({ steps, constants, results, joints, rows }) {
    const n = joints.length, chunk = 256, columns = rows.map(list => Float64Array.from(unpacked(list), x => x ?? NaN)), count = columns[0].length, column = k => columns[k];
    const code = [], memory = [];
    for (let s = 0; s < steps.length; s += 3) {
      code.push(steps.slice(s, s + 3));
      memory.push(new Float64Array(chunk).fill(steps[s] ? 0 : constants[steps[s + 1]]));
    }
    const tau = joints.map(() => new Float64Array(count));
    // By position, velocity and acceleration; those at `speed` times the trajectory's.
    function compute(numbers, speed, friction) {
      const scales = [1, speed, speed * speed];
      for (const values of tau) values.fill(0);
      for (let first = 0; first < count; first += chunk) {
        const size = Math.min(chunk, count - first);
        code.forEach(([operation, left, right], s) => {
          const to = memory[s], a = memory[left], b = memory[right];
          switch (operation) {
            case 1:
              if (left >= 3 * n) to.fill(numbers[left - 3 * n]);
              else for (let k = 0, from = column(1 + left), scale = scales[Math.floor(left / n)]; k < size; ++k) to[k] = scale * from[first + k];
              break;
            case 2: for (let k = 0; k < size; ++k) to[k] = a[k] + b[k]; break;
            case 3: for (let k = 0; k < size; ++k) to[k] = a[k] - b[k]; break;
            case 4: for (let k = 0; k < size; ++k) to[k] = a[k] * b[k]; break;
            case 5: for (let k = 0; k < size; ++k) to[k] = a[k] / b[k]; break;
            case 6: for (let k = 0; k < size; ++k) to[k] = Math.sin(a[k]); break;
            case 7: for (let k = 0; k < size; ++k) to[k] = Math.cos(a[k]); break;
            case 8: for (let k = 0; k < size; ++k) to[k] = Math.exp(right ? -a[k] : a[k]); break;
            case 9: for (let k = 0; k < size; ++k) to[k] = Math.sign(a[k]); break;
          }
        });
        results.forEach(([step, factor], i) => {
          const to = tau[i % n], from = memory[step], share = factor * (i >= n && i < 2 * n ? friction : 1);
          for (let k = 0; k < size; ++k) to[first + k] += share * from[k];
        });
      }
      return tau;
    }
    // Groups of columns, which may be changed: positions, velocities, accelerations.
    const motion = ['q', 'qd', 'qdd'].map((name, order) => joints.map((joint, i) => column(1 + order * n + i)));
    return { compute, motion, count, t: column(0), tau: joints.map((joint, i) => column(1 + 3 * n + i)) };
  }
  const model = adjustable && torqueModel(adjustable);
  // A curve beside each that the reader's numbers change.
  if (model) {
    const panels = () => figures.flatMap(figure => figure.panels), { t, tau, count } = model, { joints } = adjustable;
    const hasTorques = panels().some(({ y_label }) => /^τ\d+$/.test(y_label));
    if (!hasTorques && count > 1) {
      const curve = y => ({ label: '', style: 0, begins_band: false, x: Array.from(t), y: Array.from(y) });
      figures.push({ title: 'Joint torques', subtitle: '', columns: 0, panels: joints.map(({ name, unit, limit }, i) => ({
        title: name, y_label: `τ${i + 1}`, unit, x_label, x_unit, note: limit == null ? '' : `limit ±${brief(limit, unit)}`, limits: [], range: [-1, 1], curves: [curve(tau[i])] })) });
    }
    for (const panel of panels()) {
      const [, name, joint] = panel.y_label.match(/^(τ|q|qd|qdd)(\d+)$/) ?? [];
      const motor = panel.y_label.startsWith('motor ') ? joints.findIndex(({ name, motor }) => name === panel.title && motor?.is_plain) : -1;
      if (motor >= 0) { // over time, or over speed
        const is_parametric = panel.curves[0].is_parametric, { ratio, sign } = joints[motor].motor, x = panel.curves[0].x;
        panel.curves.push({ label: 'changed', is_changed: true, is_parametric, style: 4, begins_band: false, x: is_parametric ? x : [], y: is_parametric ? x.map(() => null) : [],
          order: -1, joint: motor, factor: is_parametric ? 1 / ratio : sign / ratio });
      }
      if (!name) continue;
      panel.curves.push({ label: 'changed', is_changed: true, style: 4, begins_band: false, x: count > 1 ? [] : Array.from(t), y: count > 1 ? [] : [null],
        order: ['q', 'qd', 'qdd'].indexOf(name), joint: joint - 1, factor: panel.unit.startsWith('deg') ? 180 / Math.PI : 1 });
    }
  }

  // --- plots
  const plots = [], grids = [];
  const styleOf = ({ style }) => styles[style % styles.length];
  const ink = curve => styleOf(curve).color === '#000000' ? colour('text') : styleOf(curve).color;
  let linked = false; // while one plot tells the others
  // First and last of all times: plots over time show all of them, and are zoomed together.
  const span = figures.flatMap(figure => figure.panels).filter(panel => panel.x_label === x_label).flatMap(panel => panel.curves)
    .reduce(([first, last], { x }) => x.length ? [Math.min(first, x[0]), Math.max(last, x[x.length - 1])] : [first, last], [Infinity, -Infinity]);

  function limitLines(limits) {
    return u => {
      const { left, width } = u.bbox;
      u.ctx.save();
      u.ctx.strokeStyle = colour('limit');
      u.ctx.lineWidth = devicePixelRatio;
      u.ctx.setLineDash([8 * devicePixelRatio, 5 * devicePixelRatio]);
      for (const limit of limits) {
        const y = u.valToPos(limit, 'y', true);
        u.ctx.beginPath();
        u.ctx.moveTo(left, y);
        u.ctx.lineTo(left + width, y);
        u.ctx.stroke();
      }
      u.ctx.restore();
    };
  }

  // Bands of one row, which have no sides.
  const bars = curves => u => curves.forEach((curve, i) => {
    if (!curve.begins_band || curve.x.length > 1) return;
    const x = u.valToPos(curve.x[0], 'x', true);
    u.ctx.save();
    u.ctx.strokeStyle = colour('band');
    u.ctx.lineWidth = 12 * devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.valToPos(curve.y[0], 'y', true));
    u.ctx.lineTo(x, u.valToPos(curves[i + 1].y[0], 'y', true));
    u.ctx.stroke();
    u.ctx.restore();
  });

  // Curves whose x goes back and forth, which uPlot does not draw.
  const loci = curves => u => {
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    for (const curve of curves.filter(({ is_parametric }) => is_parametric)) {
      u.ctx.strokeStyle = ink(curve);
      u.ctx.lineWidth = styleOf(curve).width * devicePixelRatio;
      u.ctx.beginPath();
      curve.x.forEach((x, k) => {
        if (curve.y[k] != null) u.ctx[k && curve.y[k - 1] != null ? 'lineTo' : 'moveTo'](u.valToPos(x, 'x', true), u.valToPos(curve.y[k], 'y', true));
      });
      u.ctx.stroke();
    }
    u.ctx.restore();
  };

  // Multiples of a step; of one of our own where uPlot finds none, of ranges below 1e-16.
  function ticks(min, max, found) {
    const power = 10 ** Math.floor(Math.log10((max - min) / 3)), step = found < max - min ? found : [1, 2, 5].findLast(m => m * power <= (max - min) / 3) * power;
    const first = Math.ceil(min / step);
    return Array.from({ length: Math.max(0, 1 + Math.floor(max / step) - first) }, (_, k) => (first + k) * step || 0);
  }

  // Points of a curve; those at the x of one before go a hair to the right each, since uPlot has one point at each x.
  function points({ x, y, is_parametric }) {
    if (is_parametric) return [[...new Set([Math.min(...x), Math.max(...x)])], [null, null]];
    let last = -Infinity;
    return [x.map(at => last = at > last ? at : last + 1e-9 * (Math.abs(last) || 1)), y];
  }

  function plot(parent, figure, panel) {
    const box = make(parent, 'figure', { className: 'plot' });
    const caption = make(box, 'figcaption');
    make(caption, 'b', { textContent: panel.title });
    make(caption, 'span', { textContent: panel.note });
    const axis = (label, most) => ({
      label, labelSize: 16, labelGap: 0, labelFont: '12px sans-serif', font: '11px sans-serif', stroke: () => colour('text'),
      splits: (u, side, min, max, found) => ticks(min, max, found),
      values: (u, splits, side, space, step) => splits.map(x => short(x, digits(x, step, 6), most)), grid: { stroke: () => colour('grid'), width: 1 }, ticks: { stroke: () => colour('grid'), width: 1 },
    });
    const series = panel.curves.map((curve, i) => ({
      label: curve.label || panel.y_label, stroke: () => ink(curve), width: styleOf(curve).width,
      dash: (styleOf(curve).dashes.match(/\d+/g) ?? []).map(Number), points: { show: curve.x.length === 1, size: 8, fill: () => ink(curve) }, value: (u, y) => curve.is_parametric ? '' : brief(isRounding(y, 1e3 * largest) ? 0 : y, panel.unit),
    }));
    // Curves in the order in which they are drawn: by layers, of one layer the first above the others.
    const order = [...panel.curves.keys()].sort((a, b) => styleOf(panel.curves[a]).layer - styleOf(panel.curves[b]).layer || b - a);
    const number = i => 1 + order.indexOf(i); // of the series of a curve
    const bands = [];
    panel.curves.forEach((curve, i) => {
      if (!curve.begins_band) return;
      bands.push({ series: [number(i + 1), number(i)], fill: () => colour('band') });
      Object.assign(series[i], { width: 0, stroke: () => colour('band'), value: (u, y, side, k) => y == null ? '–' : `${brief(y)} to ${brief(u.data[number(i + 1)][k], panel.unit)}` });
      Object.assign(series[i + 1], { width: 0, class: 'side' });
    });
    const isTime = panel.x_label === x_label;
    const data = panel.curves.length ? uPlot.join([...order.map(i => points(panel.curves[i])), ...(isTime ? [[span]] : [])]) : [[0, 1]];
    // The curve that the reader's numbers change, at the times of the others.
    const own = panel.curves.findIndex(({ is_changed }) => is_changed), column = data[number(own)];
    if (own >= 0) Object.assign(series[own], { show: false, class: 'changed' });
    const lines = panel.curves.filter(({ is_parametric }) => is_parametric), largest = Math.max(...panel.curves.flatMap(({ y }) => y.map(Math.abs)));
    function rangeOf(min, max) {
      const marks = [...panel.limits, ...(panel.has_zero ? [0] : []), ...lines.flatMap(({ y }) => y.filter(Number.isFinite))], low = Math.min(...marks), high = Math.max(...marks);
      const [from, to] = min == null ? [low, high] : [Math.min(min, low), Math.max(max, high)];
      return uPlot.rangeNum(...(from < to ? [from, to] : panel.range), 0.1, true);
    }
    const u = new uPlot({
      width: 400, height: 190, bands, series: [{ label: panel.x_label, value: (u, x) => brief(x, panel.x_unit, (u.scales.x.max - u.scales.x.min) / 1000) }, ...order.map(i => series[i])],
      scales: {
        x: { time: false, auto: u => u.scales.x.min == null, range: ({ data: [x] }, min, max) => x.length > 1 ? [min, max] : [x[0] - 0.5, x[0] + 0.5] },
        y: { range: (u, min, max) => rangeOf(min, max) },
      },
      axes: [{ ...axis(named(panel.x_label, panel.x_unit)), size: 28 }, { ...axis(named(panel.y_label, panel.unit), 1e6), size: (u, texts) => Math.max(56, 26 + 6.5 * Math.max(...(texts ?? []).map(text => text.length))) }],
      cursor: { y: false, points: { size: (u, i) => u.series[i].width ? 6 : 0 }, sync: { key: 'armdyn' }, drag: { x: true, y: false } },
      hooks: {
        drawAxes: [bars(panel.curves), loci(panel.curves)],
        draw: [limitLines(panel.limits)],
        setCursor: [u => isTime && !linked && u.cursor.event && u.cursor.left >= 0 && goTo(u.posToVal(u.cursor.left, 'x'), u)],
        setScale: [(u, key) => {
          if (key !== 'x' || linked || !isTime) return;
          linked = true;
          const { min, max } = u.scales.x;
          for (const other of plots) if (other.isTime && other.u !== u) other.u.setScale('x', { min, max });
          linked = false;
        }],
      },
    }, data, box);
    const legend = box.querySelector('.u-legend tbody'), rows = [...legend.children];
    panel.curves.forEach((curve, i) => legend.append(rows[number(i)]));
    const markers = panel.curves.map((curve, i) => rows[number(i)].querySelector('.u-marker'));
    plots.push({ u, box, isTime, repaint() {
      panel.curves.forEach((curve, i) => curve.begins_band || (markers[i].style.borderColor = ink(curve)));
      u.redraw(false);
    }, refresh(valuesOf) {
      if (own < 0) return;
      const values = valuesOf(panel.curves[own]);
      if (!values && !u.series[number(own)].show) return;
      if (panel.curves[own].is_parametric) {
        Object.assign(panel.curves[own], values ?? { x: [], y: [] });
        const at = lines.flatMap(({ x }) => x);
        u.setSeries(number(own), { show: !!values });
        u.setScale('x', { min: Math.min(...at), max: Math.max(...at) });
        return;
      }
      const { t, count } = model, hair = 1e-6 * (t[count - 1] - t[0]);
      for (let k = 0, row = 0; k < column.length; ++k) {
        const at = data[0][k];
        while (row + 2 < count && t[row + 1] < at) ++row;
        const next = Math.min(row + 1, count - 1), share = Math.min(1, Math.max(0, (at - t[row]) / (t[next] - t[row] || 1)));
        column[k] = values && at >= t[0] - hair && at <= t[count - 1] + hair ? values[row] + share * (values[next] - values[row]) : null;
      }
      if (u.series[number(own)].show !== !!values) u.setSeries(number(own), { show: !!values });
      u.setData(data);
    } });
  }

  // What shows on the screen is drawn at once, the rest when it comes there.
  let latest = null;
  const visible = new Set();
  function refresh(one) {
    if (one.of === latest || !latest) return;
    one.of = latest;
    one.refresh(latest);
  }
  const watch = new IntersectionObserver(entries => entries.forEach(({ target, isIntersecting }) => {
    const one = plots.find(({ box }) => box === target);
    visible[isIntersecting ? 'add' : 'delete'](one);
    if (isIntersecting) refresh(one);
  }));

  for (const figure of figures) {
    const section = document.getElementById('plots');
    make(section, 'h2', { textContent: figure.title });
    if (figure.subtitle) make(section, 'p', { textContent: figure.subtitle });
    const grid = make(section, 'div', { className: 'grid' });
    grids.push({ grid, columns: figure.columns });
    for (const panel of figure.panels) plot(grid, figure, panel);
  }
  for (const { box } of plots) watch.observe(box);
  function fit() {
    for (const { grid, columns } of grids) {
      const isWide = columns > 1 && grid.clientWidth >= 220 * columns;
      grid.style.gridTemplateColumns = isWide ? `repeat(${columns}, minmax(0, 1fr))` : '';
    }
    for (const { u, box } of plots) u.setSize({ width: box.clientWidth, height: 190 });
    if (arm) draw();
  }

  // --- the arm: frames by modified Denavit-Hartenberg rows (Craig, eq. 3.6), vectors in the world
  const add = (a, b, s = 1) => a.map((x, i) => x + s * b[i]);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const unit = a => a.map(x => x / Math.hypot(...a));
  const turn = (T, v) => [dot(T.R[0], v), dot(T.R[1], v), dot(T.R[2], v)];
  const place = (T, v) => add(T.p, turn(T, v));
  const axisOf = (T, k) => T.R.map(row => row[k]);
  const after = (T, { R: [a, b, c], p }) => ({
    R: T.R.map(row => [0, 1, 2].map(k => row[0] * a[k] + row[1] * b[k] + row[2] * c[k])), p: place(T, p) });

  function linkFrame({ turns, a, alpha: [ca, sa], d, theta: [c0, s0] }, q) {
    const [cq, sq] = turns ? [Math.cos(q), Math.sin(q)] : [1, 0];
    const c = c0 * cq - s0 * sq, s = s0 * cq + c0 * sq, z = turns ? d : d + q;
    return { R: [[c, -s, 0], [s * ca, c * ca, -sa], [s * sa, c * sa, ca]], p: [a, -sa * z, ca * z] };
  }
  // A link of a mechanism has the place of the frame before it, and its position as a sum of those of joints.
  const before = (link, i) => link.before ?? i;
  const positionOf = (link, i, q) => link.joints ? link.joints.reduce((sum, j, k) => sum + link.factors[k] * q[j], link.offset) : q[i];
  function framesAt(q) {
    const frames = [arm.base];
    arm.links.forEach((link, i) => frames.push(after(frames[before(link, i)], linkFrame(link, positionOf(link, i, q)))));
    return frames;
  }
  const lastOf = frames => frames[arm.end ?? frames.length - 1];
  const tcpOf = frames => after(lastOf(frames), arm.tool).p;

  function valueAt([t, y], now) {
    let low = 0, high = t.length - 1;
    if (now <= t[0]) return y[0];
    if (now >= t[high]) return y[high];
    while (high - low > 1) t[(low + high) >> 1] <= now ? low = (low + high) >> 1 : high = (low + high) >> 1;
    if (y[low] == null || y[high] == null) return y[low] ?? y[high];
    return y[low] + (y[high] - y[low]) * (now - t[low]) / (t[high] - t[low] || 1);
  }
  const positionsAt = t => arm.q.map(curve => valueAt(curve, t));

  let now = 0, begin = 0, end = 0, path = [], home = null, canvas, slider, clock, playing = null, pace = 1, load = null;
  const view = { azimuth: 0.6, elevation: 0.35, zoom: 1 };
  const shown = { frames: true, centers: true, path: true };
  const up = arm && Math.hypot(...arm.gravity) > 0 ? unit(arm.gravity.map(x => -x)) : [0, 0, 1];
  const east = unit(cross(Math.abs(up[2]) > 0.9 ? [0, 1, 0] : [0, 0, 1], up)), north = cross(up, east);

  // Directions to the right, up and towards the viewer.
  function viewAxes({ azimuth, elevation }) {
    const out = add(east.map(x => x * Math.cos(azimuth)), north, Math.sin(azimuth));
    const right = cross(up, out);
    const towards = add(out.map(x => x * Math.cos(elevation)), up, Math.sin(elevation));
    return [right, cross(towards, right), towards];
  }

  function survey() {
    path = [];
    const count = end > begin ? 300 : 1, points = [];
    for (let k = 0; k < count; ++k) {
      const t = begin + (end - begin) * k / Math.max(1, count - 1), frames = framesAt(positionsAt(t));
      path.push({ t, p: tcpOf(frames) });
      if (home) continue;
      points.push(...frames.map(({ p }) => p), tcpOf(frames));
      arm.links.forEach((link, i) => link.mass > 0 && points.push(place(frames[i + 1], link.com)));
    }
    if (home) return;
    const low = [0, 1, 2].map(k => Math.min(...points.map(p => p[k])));
    const high = [0, 1, 2].map(k => Math.max(...points.map(p => p[k])));
    const centre = low.map((x, k) => (x + high[k]) / 2);
    home = { centre, size: 2 * Math.max(...points.map(p => Math.hypot(...add(p, centre, -1)))) || 1 };
    const spread = azimuth => {
      const [right] = viewAxes({ azimuth, elevation: 0 }), at = points.map(p => dot(p, right));
      return Math.max(...at) - Math.min(...at);
    };
    for (let k = 1; k < 24; ++k) {
      if (spread(0.6 + k * Math.PI / 24) > 1.05 * spread(view.azimuth)) view.azimuth = 0.6 + k * Math.PI / 24;
    }
  }

  function draw() {
    const { clientWidth: width, clientHeight: height } = canvas, g = canvas.getContext('2d');
    const [wide, high] = [width, height].map(x => Math.floor(x * devicePixelRatio));
    if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
    g.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    g.clearRect(0, 0, width, height);
    g.lineCap = g.lineJoin = 'round';
    const [right, above, towards] = viewAxes(view), scale = 0.9 * view.zoom * Math.min(width, height) / home.size;
    const on = p => {
      const from = add(p, home.centre, -1);
      return [width / 2 + scale * dot(from, right), height / 2 - scale * dot(from, above)];
    };
    const size = home.size / 26; // of a joint
    const items = [];
    const item = (p, paint) => items.push({ depth: dot(p, towards), paint });
    const stroke = (points, name, thickness) => {
      g.beginPath();
      points.forEach((p, k) => g[k ? 'lineTo' : 'moveTo'](...on(p)));
      g.strokeStyle = colour(name);
      g.lineWidth = thickness;
      g.stroke();
    };
    const rod = (a, b, name, thickness) => {
      if (Math.hypot(...add(b, a, -1)) > 1e-9) item(add(a, b).map(x => x / 2), () => stroke([a, b], name, thickness));
    };
    const cylinder = (p, axis, name) => item(p, () => {
      const [x0, y0] = on(add(p, axis, -size)), [x1, y1] = on(add(p, axis, size)), r = scale * size * 0.62;
      const angle = Math.atan2(-dot(axis, above), dot(axis, right)), depth = Math.abs(dot(axis, towards));
      const front = dot(axis, towards) >= 0 ? [x1, y1] : [x0, y0];
      g.fillStyle = colour(name);
      g.strokeStyle = colour('page');
      g.lineWidth = 1;
      g.beginPath();
      g.ellipse(x0, y0, r * depth, r, angle, 0, 7);
      g.ellipse(x1, y1, r * depth, r, angle, 0, 7);
      g.fill();
      const dx = -r * Math.sin(angle), dy = r * Math.cos(angle);
      g.beginPath();
      [[x0 + dx, y0 + dy], [x1 + dx, y1 + dy], [x1 - dx, y1 - dy], [x0 - dx, y0 - dy]].forEach(([x, y]) => g.lineTo(x, y));
      g.fill();
      g.beginPath();
      g.ellipse(...front, r * depth, r, angle, 0, 7);
      g.stroke();
    });
    const triad = (T, length) => ['axis-x', 'axis-y', 'axis-z'].forEach(
      (name, k) => rod(T.p, add(T.p, axisOf(T, k), length), name, 1.6));
    const centre = (p, mass) => item(add(p, towards, size), () => {
      const [x, y] = on(p), r = Math.max(3, Math.min(9, 4 * Math.cbrt(mass)));
      for (let quarter = 0; quarter < 4; ++quarter) {
        g.beginPath();
        g.moveTo(x, y);
        g.arc(x, y, r, quarter * Math.PI / 2, (quarter + 1) * Math.PI / 2);
        g.fillStyle = colour(quarter % 2 ? 'page' : 'text');
        g.fill();
      }
      g.beginPath();
      g.arc(x, y, r, 0, 7);
      g.strokeStyle = colour('text');
      g.lineWidth = 1;
      g.stroke();
    });

    const frames = framesAt(positionsAt(now)), thick = Math.max(3, scale * size * 0.5);
    // The floor: the disc at the height of the base within the sphere that the canvas shows from all sides.
    const depth = dot(add(home.centre, arm.base.p, -1), up), middle = add(home.centre, up, -depth);
    const radius = Math.sqrt(Math.max(0.05, 0.3 - (depth / home.size) ** 2)) * home.size, step = radius / 5;
    for (const [along, across] of [[east, north], [north, east]]) {
      for (let k = -4; k <= 4; ++k) {
        const from = add(middle, across, k * step), half = Math.sqrt(radius ** 2 - (k * step) ** 2);
        stroke([add(from, along, -half), add(from, along, half)], 'grid', 1);
      }
    }
    if (shown.path && path.length > 1) {
      stroke(path.map(({ p }) => p), 'path-ahead', 1.5);
      stroke([...path.filter(({ t }) => t <= now).map(({ p }) => p), tcpOf(frames)], 'path', 2);
    }
    arm.links.forEach((link, i) => {
      const from = frames[before(link, i)], T = frames[i + 1], corner = add(from.p, axisOf(from, 0), link.a);
      const moves = !link.joints || link.joints.length > 0;
      rod(from.p, corner, 'link', thick);
      rod(corner, T.p, 'link', thick);
      if (moves) cylinder(T.p, axisOf(T, 2), link.turns ? 'joint' : 'slide');
      if (shown.frames && moves) triad(after(T, arm.user[i]), 2.2 * size);
      if (shown.centers && link.mass > 0) centre(place(T, link.com), link.mass);
    });
    // Forces, for a moment longer than they last, so that a tap is seen.
    const strongest = Math.max(...arm.arrows.map(({ force }) => Math.hypot(...force)));
    for (const { link, at, force, from, to, label } of arm.arrows) {
      if (now < from - 0.2 || now > to + 0.2) continue;
      const foot = place(frames[link + 1], at), along = force.map(x => 7 * size * x / strongest), tip = add(foot, along);
      const side = unit(cross(along, towards)).map(x => x * size || 0);
      item(add(tip, towards, home.size), () => {
        stroke([foot, tip], 'force', 3);
        for (const way of [-1, 1]) stroke([tip, add(add(foot, along, 0.8), side, 0.5 * way)], 'force', 3);
        g.fillStyle = colour('force');
        g.fillText(label, on(tip)[0] + 6, on(tip)[1] - 6);
      });
    }
    const tcp = after(lastOf(frames), arm.tool);
    rod(lastOf(frames).p, tcp.p, 'link', thick * 0.7);
    triad(tcp, 3 * size);
    if (load?.mass > 0) centre(place(tcp, load.com), load.mass);
    items.sort((a, b) => a.depth - b.depth).forEach(({ paint }) => paint());
  }

  // Everything shows the same moment; `from` is the plot that was pointed at.
  function goTo(t, from) {
    now = Math.min(end, Math.max(begin, t));
    if (!arm) return;
    if (!from) {
      linked = true;
      for (const { u, isTime } of plots) if (isTime) u.setCursor({ left: u.valToPos(now, 'x'), top: 8 }, false);
      linked = false;
    }
    showArm();
  }
  function showArm() {
    draw();
    slider.value = now;
    const tcp = tcpOf(framesAt(positionsAt(now))).map(x => +x.toFixed(4)).join(', ');
    say(clock, `${end > begin ? `${x_label} = ${brief(now, x_unit, (end - begin) / 1000)}, ` : ''}TCP at (${tcp}) m`);
  }
  function play() {
    if (playing) cancelAnimationFrame(playing);
    const wasPlaying = playing, start = performance.now(), first = now >= end ? begin : now;
    playing = null;
    const step = moment => {
      goTo(first + pace * Math.max(0, moment - start) / 1000);
      playing = now < end ? requestAnimationFrame(step) : null;
      button.textContent = playing ? 'Pause' : 'Play';
    };
    if (!wasPlaying && end > begin) playing = requestAnimationFrame(step);
    button.textContent = playing ? 'Pause' : 'Play';
  }

  let button;
  if (arm) {
    const box = document.getElementById('arm'), bar = make(box, 'div', { className: 'bar' });
    const parts = make(box, 'div', { className: 'bar' });
    canvas = make(box, 'canvas', { tabIndex: 0 });
    clock = make(box, 'output');
    canvas.setAttribute('aria-label', 'The arm: drag or arrow keys turn it, wheel or + and - zoom, space plays');
    button = make(bar, 'button', { textContent: 'Play', onclick: play, hidden: true });
    slider = make(bar, 'input', { type: 'range', step: 'any', hidden: true, oninput: () => goTo(+slider.value) });
    slider.setAttribute('aria-label', 'time');
    for (const name of Object.keys(shown)) {
      if (name === 'path' && arm.q.every(([t]) => t.length < 2)) continue;
      const label = make(parts, 'label');
      make(label, 'input', { type: 'checkbox', checked: true, onchange: event => { shown[name] = event.target.checked; draw(); } });
      label.append(name);
    }
    const times = arm.q.filter(([t]) => t.length > 1).flatMap(([t]) => [t[0], t[t.length - 1]]);
    if (times.length) [begin, end] = [Math.min(...times), Math.max(...times)];
    Object.assign(slider, { min: begin, max: end, hidden: end <= begin });
    button.hidden = end <= begin;
    survey();
    const turnBy = (x, y) => {
      view.azimuth -= x;
      view.elevation = Math.min(1.57, Math.max(-1.57, view.elevation + y));
      draw();
    };
    const zoomBy = factor => { view.zoom *= factor; draw(); };
    canvas.onpointerdown = event => canvas.setPointerCapture(event.pointerId);
    canvas.onpointermove = event => event.buttons && turnBy(event.movementX / 120, event.movementY / 120);
    canvas.onwheel = event => { event.preventDefault(); zoomBy(Math.exp(-event.deltaY / 600)); };
    const keys = {
      ArrowLeft: () => turnBy(0.1, 0), ArrowRight: () => turnBy(-0.1, 0), ArrowUp: () => turnBy(0, -0.1), ArrowDown: () => turnBy(0, 0.1),
      '+': () => zoomBy(1.1), '-': () => zoomBy(1 / 1.1), ' ': play, Home: () => goTo(begin), End: () => goTo(end),
    };
    canvas.onkeydown = event => keys[event.key] && (keys[event.key](), event.preventDefault());
  }
  // --- numbers of the robot that the reader changes
  function adjust() {
    const { joints, bodies, gravity, payload, has_wrench } = adjustable, { t, tau, motion, count } = model;
    const isState = count === 1, original = motion.map(group => group.map(column => column.slice()));
    const box = document.getElementById('adjust');
    const size = arm ? home.size / 2 : 1, g = Math.hypot(...gravity);
    const inputs = [], moved = joints.map(() => false); // joints whose positions the reader changes
    function knob(parent, label, unit, value, min, max, title = '') {
      const line = make(parent, 'label', { className: 'knob', title });
      make(line, 'span', { textContent: label });
      const range = make(line, 'input', { type: 'range', min, max, step: 'any', value });
      const number = make(line, 'input', { type: 'number', min, step: 'any', value: +value.toPrecision(12) });
      make(line, 'span', { textContent: unit });
      const input = { label, unit, value, of_file: value };
      const set = (x, from) => {
        if (!Number.isFinite(x) || (min >= 0 && x < 0)) return;
        input.value = x;
        if (from !== range) range.value = x;
        if (from !== number) number.value = +x.toPrecision(6);
        request();
      };
      range.oninput = () => set(Math.abs(range.value - input.of_file) < (max - min) / 200 ? input.of_file : +(+range.value).toPrecision(3), range);
      number.oninput = () => set(+number.value, number);
      input.reset = () => set(input.of_file);
      inputs.push(input);
      return input;
    }
    make(box, 'h2', { textContent: 'What if' });
    const knobs = make(box, 'div', { className: 'knobs' });
    const mass = knob(knobs, 'payload mass', 'kg', payload[0], 0, Math.max(2, 3 * payload[0], 0.5 * bodies.reduce((sum, { mass }) => sum + mass, 0)));
    const com = ['x', 'y', 'z'].map((axis, k) => knob(knobs, `payload ${axis}`, 'm', payload[1 + k], payload[1 + k] - size / 4, payload[1 + k] + size / 4, 'center of mass, in the tool frame'));
    const speed = isState ? { value: 1 } : knob(knobs, 'speed', '×', 1, 0.1, 3, 'time scaling: velocities times this, accelerations times its square');
    const friction = knob(knobs, 'friction', '×', 1, 0, 3, 'torques of all friction times this');
    const tilt = g > 0 && knob(knobs, 'gravity, tilted by', 'deg', 0, 0, 180);
    const heading = g > 0 && knob(knobs, 'tilted towards', 'deg', 0, 0, 360);
    const links = make(box, 'details');
    make(links, 'summary', { textContent: 'Masses of links' });
    const more = make(links, 'div', { className: 'knobs' });
    const masses = bodies.map(({ name, mass }) => knob(more, `mass of ${name}`, 'kg', mass, 0, Math.max(1, 2 * mass)));
    const poses = poseKnobs();
    const bar = make(box, 'div', { className: 'bar' });
    make(bar, 'button', { textContent: 'Reset', onclick: () => inputs.forEach(input => input.reset()) });
    const said = make(bar, 'output');
    const table = make(make(box, 'div', { className: 'table' }), 'table', { className: 'answer' });
    make(box, 'p', { className: 'check' });

    // Knobs for the positions of a state; of a motion straight from one position to another, for both. A function
    // that computes the rows of positions, velocities and accelerations.
    function poseKnobs() {
      const [q, qd, qdd] = original, last = count - 1, ways = q.map(column => column[last] - column[0]);
      const lead = ways.reduce((best, way, i) => Math.abs(way) > Math.abs(ways[best]) ? i : best, 0);
      // Share of the way, and its derivatives, as the program's time scaling has them.
      const scaling = [q[lead].map(x => (x - q[lead][0]) / ways[lead]), qd[lead].map(x => x / ways[lead]), qdd[lead].map(x => x / ways[lead])];
      const isStraight = !isState && ways[lead] && joints.every((joint, i) => [q, qd, qdd].every((group, order) => {
        const most = Math.max(1, ...group[i].map(Math.abs));
        return group[i].every((x, k) => Math.abs(x - (order ? 0 : q[i][0]) - ways[i] * scaling[order][k]) <= 1e-9 * most);
      }));
      if (!arm || !(isState || isStraight)) return () => {};
      const details = make(box, 'details', { open: isState });
      make(details, 'summary', { textContent: isState ? 'Positions of the joints' : 'From and to' });
      const parent = make(details, 'div', { className: 'knobs' });
      const ends = joints.map(({ name, turns }, i) => (isState ? [0] : [0, last]).map((k, end) => {
        const x = q[i][k] * (turns ? 180 / Math.PI : 1), most = turns ? 180 : 1;
        return knob(parent, isState ? name : `${name} ${['from', 'to'][end]}`, turns ? 'deg' : 'm', x, Math.min(-most, x), Math.max(most, x));
      }));
      let drawn = '';
      return () => {
        const numbers = ends.flat().map(({ value, of_file }) => value - of_file).join();
        if (numbers === drawn) return;
        drawn = numbers;
        ends.forEach((of_joint, i) => {
          const [from, to] = of_joint.map(({ value }) => value * (joints[i].turns ? Math.PI / 180 : 1));
          moved[i] = of_joint.some(({ value, of_file }) => value !== of_file);
          motion.forEach((group, order) => {
            const column = group[i], share = scaling[order], start = order ? 0 : from;
            column.set(original[order][i]);
            if (moved[i] && !isState) for (let k = 0; k < count; ++k) column[k] = start + (to - from) * share[k];
            if (moved[i] && isState && !order) column[0] = from;
          });
          arm.q[i] = [t, motion[0][i]];
        });
        survey();
      };
    }

    // The direction of gravity, turned from its own towards a direction across.
    function fieldOf() {
      if (!tilt) return gravity;
      const down = unit(gravity), [a, b] = [tilt.value, heading.value].map(x => x * Math.PI / 180);
      const across = add(east.map(x => x * Math.cos(b)), north, Math.sin(b));
      return add(down.map(x => g * Math.cos(a) * x), across, g * Math.sin(a));
    }
    const torques = () => model.compute([...fieldOf(), mass.value, ...com.map(({ value }) => value), ...masses.map(({ value }) => value)], speed.value, friction.value);
    const isChanged = () => inputs.some(({ value, of_file }) => value !== of_file);
    function measures(values, pace) {
      let at = 0, squares = 0;
      for (let k = 0; k < count; ++k) if (Math.abs(values[k]) > Math.abs(values[at])) at = k;
      for (let k = 0; k + 1 < count; ++k) squares += (values[k] ** 2 + values[k + 1] ** 2) / 2 * (t[k + 1] - t[k]);
      return { peak: Math.abs(values[at]), at: t[at] / pace, rms: Math.sqrt(count > 1 && t[count - 1] > t[0] ? squares / (t[count - 1] - t[0]) : values[0] ** 2) };
    }
    // What the file's torques have beside the formulas': of a contact wrench, or of joints taken as at rest.
    const own = torques(), rest = tau.map((of_file, i) => of_file.map((x, k) => x - own[i][k]));
    const largest = Math.max(...tau.map(values => Math.max(...values.map(Math.abs)))) || 1;
    const error = Math.max(...rest.map(values => Math.max(...values.map(Math.abs)))) / largest;
    const partly = count < adjustable.count ? ` It has ${count} of ${adjustable.count} rows, with the file's peaks; changed peaks are those of these rows.` : '';
    const others = joints.filter(({ motor }) => motor && !motor.is_plain).map(({ name }) => name).join(', ');
    box.querySelector('.check').textContent = (has_wrench || error > 1e-12
      ? `The part of the torques that ${has_wrench ? 'the contact wrench makes' : 'these formulas do not have (up to ' + short(error * 100, 2) + ' % of the largest torque)'} stays as it is.`
      : `Check: at the file's numbers the torques of this page equal those of the program within ${short(error, 2)} of the largest.`) + partly +
      (others ? ` The motors of ${others} stay as they are: their gears have an efficiency, or they turn with several joints.` : '');
    box.dataset.error = error;

    const row = (kind, texts) => {
      const line = make(table, 'tr');
      return [line, texts.map(textContent => make(line, kind, { textContent }))];
    };
    const shareOf = (peak, limit) => limit == null ? '–' : `${Math.round(100 * peak / limit)} %`;
    // Of motors: their peak and their RMS, as shares of the peak and the continuous torque.
    const hasMotors = joints.some(({ motor }) => motor?.is_plain && (motor.peak ?? motor.continuous) != null);
    const sharesOfMotor = ({ peak, rms }, motor) => motor?.is_plain ? [shareOf(peak / motor.ratio, motor.peak), shareOf(rms / motor.ratio, motor.continuous)] : ['–', '–'];
    row('th', ['joint', ...(isState ? ['τ', 'of the file'] : ['peak |τ|', 'of the file', 'at t [s]', 'RMS']), 'limit', 'of limit', ...(hasMotors ? ["of motor's peak", "RMS of motor's continuous"] : [])]);
    const lines = joints.map(({ name, limit, unit }) => row('td', [name, ...Array(isState ? 2 : 4).fill(''), limit == null ? '–' : brief(limit, unit), '', ...(hasMotors ? ['', ''] : [])]));
    const ofFile = tau.map(values => measures(values, 1)), near = x => isRounding(x, largest) ? 0 : x;
    function show() {
      poses();
      const isNew = isChanged(), values = isNew ? torques() : tau;
      if (isNew) values.forEach((column, i) => { for (let k = 0; k < count; ++k) column[k] += rest[i][k]; });
      latest = ({ order, joint, factor, is_parametric }) => {
        const scale = factor * speed.value ** order, sizes = (column, k) => Array.from(column, x => Math.abs(k * x));
        if (is_parametric) return isNew ? { x: sizes(motion[1][joint], speed.value / factor), y: sizes(values[joint], factor) } : null;
        if (order < 0) return !isNew || factor === 1 ? isNew && values[joint] : values[joint].map(x => factor * x);
        return moved[joint] || scale !== factor ? motion[order][joint].map(x => scale * x) : null;
      };
      visible.forEach(refresh);
      pace = speed.value;
      load = { mass: mass.value, com: com.map(({ value }) => value) };
      if (arm) showArm();
      joints.forEach(({ unit, limit, rms, motor }, i) => {
        const here = measures(values[i], speed.value), before = ofFile[i], [line, cells] = lines[i];
        // Rows that the page does not have keep their share of the RMS.
        const squares = here.rms ** 2 + (rms == null ? 0 : rms ** 2 - before.rms ** 2);
        const found = isState ? [brief(near(values[i][0]), unit), brief(near(tau[i][0]), unit)] : [brief(here.peak, unit), brief(before.peak, unit), brief(here.at), brief(Math.sqrt(Math.max(0, squares)), unit)];
        found.forEach((text, k) => say(cells[1 + k], text));
        const shares = [shareOf(here.peak, limit), ...(hasMotors ? sharesOfMotor({ peak: here.peak, rms: Math.sqrt(Math.max(0, squares)) }, motor) : [])];
        shares.forEach((text, k) => say(cells.at(k - shares.length), text));
        line.classList.toggle('exceeded', limit != null && here.peak > limit);
      });
      const different = inputs.filter(({ value, of_file }) => value !== of_file).map(({ label, value, of_file, unit }) => `${label} ${short(value, 4)} ${unit} (${short(of_file, 4)})`);
      say(said, different.length ? `Differs from the file: ${different.join('; ')}` : 'As in the file');
    }
    let requested = false;
    function request() {
      if (requested) return;
      requested = true;
      requestAnimationFrame(() => { requested = false; show(); });
    }
    show();
  }

  const repaint = () => { palette = new Map(); plots.forEach(({ repaint }) => repaint()); if (arm) draw(); };
  function paper(isPaper) {
    root.classList.toggle('paper', isPaper);
    for (const table of document.querySelectorAll('table.answer')) {
      table.style.zoom = 1;
      if (isPaper) table.style.zoom = Math.min(1, table.parentElement.clientWidth / table.offsetWidth);
    }
    plots.forEach(refresh);
    fit();
    repaint();
  }
  addEventListener('resize', fit);
  addEventListener('beforeprint', () => paper(true));
  addEventListener('afterprint', () => paper(false));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
  fit();
  if (model) adjust();
  queueMicrotask(() => goTo(begin)); // when the plots have their scales
})();
