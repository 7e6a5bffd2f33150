import { processorRatio, ratio, summary } from '../kit/load.mjs';
import { number, table, verdict } from '../kit/report.mjs';

/** Compares ours with another side, with the ratio that it has to reach. */
export function compare(name, ours, theirs, target) {
  return { name, target, ratio: ratio(ours, theirs), ours: summary(ours), theirs: summary(theirs) };
}

/** Compares the processor time of ours with that of another side; without a target it is only shown. */
export function compareProcessor(name, ours, theirs, target) {
  return { name, target, ratio: processorRatio(ours, theirs), ours: summary(ours), theirs: summary(theirs) };
}

/** Formats the table of comparisons. */
export function comparisons(rows) {
  const pair = (field, digits) => (row) => `${number(row.ours[field], digits)} / ${number(row.theirs[field], digits)}`;
  const [latency, processor] = [pair('p99'), pair('processorMs', 3)];
  return table(
    ['Lastro ÷ the other', 'requests/s', 'the other', 'ratio', 'target', '', 'p99 ms', 'CPU ms a request'],
    rows.map((row) => [
      row.name,
      number(row.ours.perSecond),
      number(row.theirs.perSecond),
      number(row.ratio, 2),
      row.target === undefined ? '' : `≥ ${number(row.target, 2)}`,
      row.target === undefined || row.ratio === undefined ? '' : verdict(row.ratio >= row.target),
      latency(row),
      processor(row),
    ]),
  );
}

/** Formats the table of figures, each with its upper or lower limit, if any. */
export function figures(rows) {
  return table(
    ['figure', 'measured', 'target', ''],
    rows.map(({ name, value, digits = 1, unit, below, above }) => {
      const limit = below ?? above;
      const kept = below === undefined ? value >= above : value < below;
      return [
        name,
        `${number(value, digits)} ${unit}`,
        limit === undefined
          ? ''
          : `${below === undefined ? '≥' : '<'} ${number(limit, Number.isInteger(limit) ? 0 : digits)} ${unit}`,
        limit === undefined || value === undefined ? '' : verdict(kept),
      ];
    }),
  );
}
