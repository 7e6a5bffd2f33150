import Papa from 'papaparse';
import { Table } from '../../design/basics.js';
import { fromDisk } from './file-input.js';
import { frameTexts } from './texts.js';

/** The columns that files of one kind can have. */
export interface KnownColumns {
  readonly names: readonly string[];
  readonly textOf: (name: string) => string;
  /** Usual names of each column in other programs, separated by commas. */
  readonly usual: Readonly<Record<string, string>>;
}

/** The head of a CSV file, and which column of ours each of its own is. */
export interface CsvColumns {
  readonly delimiter: string;
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Empty for a column that is not read. */
  readonly chosen: readonly string[];
  /** The bytes of the header in the file. */
  readonly from: number;
  readonly to: number;
}

const bare = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

/** Reads the head of a CSV file, and guesses its columns by their names in files and on the page. Undefined for a file without a header. @throws {FailureError} */
export async function columnsIn(file: Blob, known: KnownColumns, field: string): Promise<CsvColumns | undefined> {
  const bytes = await fromDisk(file.slice(0, 64_000).arrayBuffer(), field);
  // A character a byte: places in the text are places in the file.
  const text = new TextDecoder('windows-1252').decode(bytes);
  const [before = ''] = /^(ï»¿)?([ \t]*(sep=[;,][ \t]*)?\r?\n)*/i.exec(text) ?? [];
  const [header = ''] = text.slice(before.length).split(/\r?\n/, 1);
  if (header.trim() === '') return undefined;
  const delimiter = header.includes(';') ? ';' : ',';
  const { data } = Papa.parse<string[]>(readable(bytes.slice(before.length), true), {
    delimiter,
    preview: 4,
    skipEmptyLines: true,
  });
  const [names = [], ...rows] = data;
  const chosen = guess(names, known);
  return { delimiter, names, rows, chosen, from: before.length, to: before.length + header.length };
}

/** Returns the column of ours that each name stands for, empty for none. */
export function guess(names: readonly string[], { names: wanted, textOf, usual }: KnownColumns): readonly string[] {
  // A column with our name is ours, whatever stands before it.
  const ours = names.map((name) => wanted.find((column) => bare(column) === bare(name)) ?? '');
  let free = wanted.filter((column) => !ours.includes(column));
  return names.map((name, at) => {
    const found = free.find((column) =>
      [textOf(column), ...(usual[column]?.split(',') ?? [])].some((one) => bare(one) === bare(name)),
    );
    if (ours[at] !== '' || found === undefined) return ours[at] ?? '';
    free = free.filter((column) => column !== found);
    return found;
  });
}

function readable(bytes: ArrayBuffer, stream: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns the file with the chosen columns as its header: those without a name are not read. */
export function renamed(file: Blob, { chosen, delimiter, from, to }: CsvColumns): Blob {
  return new Blob([file.slice(0, from), chosen.join(delimiter), file.slice(to)]);
}

/** Returns the file with the chosen columns only; its lines keep their numbers. @throws {FailureError} */
export async function reduced(file: Blob, columns: CsvColumns, field: string): Promise<Blob> {
  const { chosen, delimiter, from } = columns;
  if (!chosen.includes('')) return renamed(file, columns);
  const bytes = await fromDisk(file.arrayBuffer(), field);
  const { data } = Papa.parse<string[]>(readable(bytes.slice(from), false), { delimiter });
  const rows = [chosen, ...data.slice(1)].map((row) => {
    if (row.length === chosen.length) return row.filter((_cell, at) => chosen[at] !== '');
    // A line with too few or too many cells must stay an error.
    return row.length === 1 ? row : [...row, ...chosen];
  });
  return new Blob([bytes.slice(0, from), Papa.unparse(rows, { delimiter })]);
}

/** The columns of a file with their first values, each with the column of ours that it is. */
export function ColumnsTable(props: {
  readonly known: KnownColumns;
  readonly columns: CsvColumns;
  readonly onChange: (columns: CsvColumns) => void;
}) {
  const { known, columns, onChange } = props;
  const text = frameTexts.get().columns;
  const { names, rows, chosen } = columns;
  return (
    <Table
      caption={text.title}
      rows={names.map((name, at) => ({ name, at }))}
      keyOf={({ at }) => String(at)}
      columns={[
        { label: text.own, kind: 'wide', cell: ({ name }) => name },
        { label: text.first, kind: 'wide', cell: ({ at }) => rows.flatMap((row) => row[at] ?? []).join(' · ') },
        {
          label: text.readAs,
          kind: 'nowrap',
          cell: ({ name, at }) => (
            <select
              aria-label={`${text.readAs}: ${name}`}
              value={chosen[at] ?? ''}
              // A column of ours is one of theirs.
              onChange={({ currentTarget: { value } }) => {
                const others = chosen.map((before, place) => (place === at ? value : before === value ? '' : before));
                onChange({ ...columns, chosen: others });
              }}
            >
              <option value="">{text.notRead}</option>
              {known.names.map((column) => (
                <option key={column} value={column}>
                  {known.textOf(column)}
                </option>
              ))}
            </select>
          ),
        },
      ]}
    />
  );
}
