import { Decimal } from '../../../shared/kernel/decimal.js';
import { saoPauloTime } from '../moment.js';
import type { ColumnKind } from './columns.js';
import { xmlText } from './xml-text.js';

/** A cell as XML, and how many characters it shows about. */
export interface SheetCell {
  readonly xml: string;
  readonly width: number;
}

/** Formats of cells, in the order of the styles of the workbook; the first two are plain cells and names of columns. */
const formats = ['plain', 'head', 'integer', 'day', 'moment', 'money', 'price', 'factor', 'percent'] as const;
type Format = (typeof formats)[number];

/** Formats that every spreadsheet knows by number; the days among them follow the reader's settings. Others have numbers from 164. */
const formatNumbers: Readonly<Record<Format, number>> = {
  plain: 0,
  head: 0,
  integer: 3,
  day: 14,
  moment: 22,
  money: 4,
  price: 164,
  factor: 165,
  percent: 166,
};

/** Returns the styles of a workbook (ECMA-376, 18.8). */
export function stylesOf(namespace: string): string {
  const styles = formats.map(
    (format) =>
      `<xf numFmtId="${formatNumbers[format]}" fontId="${format === 'head' ? 1 : 0}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${format === 'head' ? ' applyFont="1"' : ''}/>`,
  );
  return (
    `<styleSheet xmlns="${namespace}"><numFmts count="3"><numFmt numFmtId="164" formatCode="#,##0.00000000"/>` +
    `<numFmt numFmtId="165" formatCode="#,##0.00##############"/><numFmt numFmtId="166" formatCode="0.00######%"/></numFmts>` +
    `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
    `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
    `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
    `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
  );
}

interface Written {
  readonly format: Format;
  /** The number that the cell holds, with every digit of the value. */
  readonly number: string;
}

const decimalForm = /^-?\d{1,15}(\.\d+)?$/;
const dayForm = /^\d{4}-\d\d-\d\d$/;
/** The day that spreadsheets count from. */
const firstDay = Date.UTC(1899, 11, 30);
const dayMs = 86_400_000;

const daysOf = (time: number): Decimal => new Decimal(time - firstDay).div(dayMs);

function decimal(format: Format, text: string): Written | undefined {
  return decimalForm.test(text) ? { format, number: text } : undefined;
}

function day(text: string): Written | undefined {
  return dayForm.test(text) ? { format: 'day', number: daysOf(Date.parse(`${text}T00:00:00Z`)).toFixed() } : undefined;
}

/** Percent as a share, which the format multiplies by a hundred. */
function percent(text: string): Written | undefined {
  return decimalForm.test(text) ? { format: 'percent', number: new Decimal(text).div(100).toFixed() } : undefined;
}

/** Returns a number of Brazilian text with a point: `1.234,56` as `1234.56`. */
const pointed = (text: string): string => text.replaceAll('.', '').replace(',', '.');

const writers: Readonly<Record<ColumnKind, (text: string) => Written | undefined>> = {
  text: () => undefined,
  integer: (text) => decimal('integer', text),
  money: (text) => decimal('money', text),
  price: (text) => decimal('price', text),
  factor: (text) => decimal('factor', text),
  percent,
  day,
  moment: (text) => {
    if (Number.isNaN(Date.parse(text))) return undefined;
    return { format: 'moment', number: daysOf(Date.parse(`${saoPauloTime(text)}:00Z`)).toFixed(8) };
  },
  moneyText: (text) => decimal('money', pointed(text.replace(/^R\$\s*/, ''))),
  percentText: (text) => (text.endsWith('%') ? percent(pointed(text.slice(0, -1))) : undefined),
  dayText: (text) => day(text.split('/').reverse().join('-')),
};

/** Returns a value as the cell of its column; as text where it is not of the kind of the column. */
export function cellOf(value: string | number | null, kind: ColumnKind): SheetCell {
  if (value === null || value === '') return { xml: '<c/>', width: 0 };
  const text = String(value);
  const written = writers[kind](text);
  if (written === undefined) return { xml: textCell(text, 'plain'), width: text.length };
  const { format, number } = written;
  return { xml: `<c s="${formats.indexOf(format)}"><v>${number}</v></c>`, width: text.length + 2 };
}

/** Returns the name of a column. */
export function headOf(text: string): SheetCell {
  return { xml: textCell(text, 'head'), width: text.length + 2 };
}

function textCell(text: string, format: Format): string {
  const style = format === 'plain' ? '' : ` s="${formats.indexOf(format)}"`;
  return `<c${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}
