// Draws each chart of a page anew from its table, with a crosshair for the mouse, a finger and the arrow keys. It stands behind uPlot in one module
// (assets.ts). Without it the picture of the server stays.
const { lang } = document.documentElement;
const dayMs = 86_400_000;

for (const figure of document.querySelectorAll('figure[data-lines]')) draw(figure);

/** Returns the number that a cell shows, or null for a dash. */
function numberIn(text) {
  const plain = lang === 'en' ? text.replace(/[^\d.-]/g, '') : text.replace(/[^\d,-]/g, '').replace(',', '.');
  return plain === '' ? null : Number(plain);
}

function draw(figure) {
  const svg = figure.querySelector('svg');
  const rows = [...figure.querySelectorAll('tbody tr')].reverse();
  if (rows.length < 2) return;
  const textIn = (at, column) => rows[at].cells[column].textContent;
  const columns = figure.dataset.lines.split(' ');
  const days = rows.map((row) => Date.parse(row.querySelector('time').dateTime) / 1000);
  const lines = columns.map((column) => rows.map((_row, at) => numberIn(textIn(at, column))));
  const marks = days.filter((_day, at) => textIn(at, figure.dataset.marks) !== '—');

  const box = document.createElement('div');
  box.className = 'plot';
  const attributes = { tabindex: 0, role: 'slider', 'aria-label': svg.getAttribute('aria-label') };
  setAll(box, { ...attributes, 'aria-valuemin': 0, 'aria-valuemax': rows.length - 1 });
  svg.replaceWith(box);

  let shown = 0;
  const legend = figure.querySelector('figcaption');
  const show = (at) => {
    shown = at;
    for (const place of legend.querySelectorAll('[data-column]')) {
      const text = textIn(at, place.dataset.column);
      place.textContent = place.dataset.column === figure.dataset.marks && text === '—' ? '' : text;
    }
    setAll(box, { 'aria-valuenow': at, 'aria-valuetext': legend.textContent });
  };

  const colourOf = (selector) => () => getComputedStyle(figure.querySelector(selector)).color;
  const muted = () => getComputedStyle(legend).color;
  const font = `12px ${getComputedStyle(figure).fontFamily}`;
  const isLong = days.at(-1) - days[0] > (200 * dayMs) / 1000;
  const dates = new Intl.DateTimeFormat(lang, {
    timeZone: 'UTC',
    ...(isLong ? { month: 'short', year: '2-digit' } : { day: 'numeric', month: 'short' }),
  });
  const numbers = new Intl.NumberFormat(lang, { maximumFractionDigits: 8 });
  const unit = textIn(0, columns[0]).endsWith('%') ? '%' : '';
  const plain = { stroke: muted, ticks: { show: false }, font };
  const plot = new uPlot(
    {
      ...sizeOf(box),
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
      axes: [
        {
          ...plain,
          grid: { show: false },
          space: 80,
          values: (_plot, splits) => splits.map((at) => dates.format(at * 1000)),
        },
        {
          ...plain,
          side: 1,
          grid: { stroke: () => getComputedStyle(box).borderTopColor, width: 1 },
          size: (_plot, values) => Math.max(...(values ?? []).map(({ length }) => length), 1) * 7 + 12,
          values: (_plot, splits) => splits.map((at) => numbers.format(at) + unit),
        },
      ],
      series: [
        {},
        { stroke: colourOf('.line-1'), width: 2, points: { show: false } },
        { stroke: colourOf('.line-2'), width: 1.5, dash: [5, 4], spanGaps: true, points: { show: false } },
      ].slice(0, lines.length + 1),
      hooks: {
        draw: [(drawn) => drawMarks(drawn, marks, colourOf('.line-1')())],
        setCursor: [({ cursor: { idx } }) => show(idx ?? rows.length - 1)],
      },
    },
    [days, ...lines],
    box,
  );
  show(rows.length - 1);

  const goTo = (left) => plot.setCursor({ left, top: 0 });
  box.addEventListener('keydown', (event) => {
    const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 20, PageDown: -20 };
    const step = { ...steps, Home: -rows.length, End: rows.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    goTo(plot.valToPos(days[Math.min(Math.max(shown + step, 0), rows.length - 1)], 'x'));
  });
  // uPlot follows the mouse by itself, a finger not.
  for (const kind of ['pointerdown', 'pointermove'])
    box.addEventListener(kind, (event) => {
      if (event.pointerType !== 'mouse') goTo(event.clientX - plot.over.getBoundingClientRect().left);
    });
  new ResizeObserver(() => plot.setSize(sizeOf(box))).observe(box);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => plot.redraw());
}

function sizeOf({ clientWidth, clientHeight }) {
  return { width: clientWidth, height: clientHeight };
}

function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}

/** Draws a triangle below each day on which something happened. */
function drawMarks({ ctx, bbox, valToPos }, days, colour) {
  const size = 5 * devicePixelRatio;
  const top = bbox.top + bbox.height - 2 * size;
  ctx.fillStyle = colour;
  for (const day of days) {
    const x = valToPos(day, 'x', true);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.lineTo(x - size, top + 1.6 * size);
    ctx.lineTo(x + size, top + 1.6 * size);
    ctx.fill();
  }
}
