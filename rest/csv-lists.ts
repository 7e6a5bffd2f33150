import { z } from 'zod';
import { absent, withoutDecimalComma } from '../shared/kernel/format/format.js';
import type { CsvForm } from './route.js';
const listed = z.array(z.record(z.string(), z.unknown()));

const numbered = z.object({ page: z.number(), limit: z.number(), total: z.number() });
const continued = z.object({ nextToken: z.string().nullish() });

/** How the items of a list become lines: one column for each named field, with that name as its header. */
interface Lines {
  readonly description: string;
  readonly fileName: string;
  readonly items: string;
  readonly columns: readonly string[];
  /** Fields whose amounts are formatted for people (`R$ 1.234,50`); they are plain numbers in a file. */
  readonly amounts?: readonly string[];
  /** Example lines, without the header. */
  readonly example: readonly string[];
  readonly demand?: (response: unknown) => void;
}

interface NumberedLines extends Lines {
  /** Whether `total` is never an older count: then it shows that items came or went, which moves others to pages that were read. */
  readonly exactTotal: boolean;
}

/** Describes a list with numbered pages: `page` and `limit`, and the `total` of all items. */
export function numberedCsv({ exactTotal, ...lines }: NumberedLines): CsvForm {
  const form = csvOf(lines, { limit: '100' }, 'page', (response) => {
    const { page, limit, total } = numbered.parse(response);
    return page * limit < total ? String(page + 1) : null;
  });
  if (!exactTotal) return form;
  return {
    ...form,
    read: (response, isFirst) => ({ ...form.read(response, isFirst), total: numbered.parse(response).total }),
  };
}

/** Describes a list that continues by `nextToken`. */
export function continuedCsv(lines: Lines): CsvForm {
  return csvOf(lines, { limit: '100' }, 'nextToken', (response) => continued.parse(response).nextToken ?? null);
}

export function wholeCsv(lines: Lines): CsvForm {
  return csvOf(lines, {}, undefined, () => null);
}

function csvOf(
  { description, fileName, items, columns, amounts = [], example, demand }: Lines,
  page: CsvForm['page'],
  cursor: string | undefined,
  nextOf: (response: unknown) => string | null,
): CsvForm {
  const holder = z.object({ [items]: listed });
  const money = new Set(amounts);
  return {
    description: `${description} UTF-8 with a header line of the names of the fields; numbers have a decimal point, a cell without a value is empty, and text that a spreadsheet would read as a formula begins with an apostrophe.`,
    fileName,
    columns,
    page,
    ...(cursor === undefined ? {} : { cursor }),
    read: (response) => {
      demand?.(response);
      const rows = (holder.parse(response)[items] ?? []).map((item) =>
        columns.map((name) => (money.has(name) ? amountOf(cellOf(item, name)) : cellOf(item, name))),
      );
      return { rows, next: nextOf(response) };
    },
    example: [columns.join(';'), ...example].map((line) => `${line}\r\n`).join(''),
  };
}

function cellOf(item: Readonly<Record<string, unknown>>, name: string): string {
  const value = item[name];
  switch (typeof value) {
    case 'string':
      return value === absent ? '' : value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      if (value == null) return '';
      throw new Error(`The value of ${name} does not fit into one cell`);
  }
}

/** Returns `1234.50` for `R$ 1.234,50`; text that is not a single amount is returned unchanged. */
function amountOf(text: string): string {
  const [, sign, digits = ''] = /^(-?)R\$\s(.+)$/.exec(text) ?? [];
  const plain = withoutDecimalComma(digits);
  return plain === undefined ? text : `${sign ?? ''}${plain}`;
}
