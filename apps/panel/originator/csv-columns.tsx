import Papa from 'papaparse';
import { Table } from '../../design/basics.js';
import { fromDisk } from '../frame/file-input.js';
import { originatorTexts } from '../texts.js';
import { fieldText } from './batch-parts.js';
import { templates, type FileKind } from './file-kind.js';

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

const wantedOf = (kind: FileKind) => (templates[kind].split('\r\n', 1)[0] ?? '').split(';');
const bare = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();

/** What other programs call columns, in small letters. */
const usual: Readonly<Record<string, string>> = {
  externalId: 'contrato numerodocontrato',
  debtorDocument: 'cpf cnpj cpfcnpj documento sacado',
  faceValue: 'valor valordeface valornominal',
  dueDate: 'vencimento datadevencimento',
  debtorName: 'nome devedor',
  debtorUf: 'uf',
  purchasePrice: 'preco valordecompra valordeaquisicao',
  interestRate: 'taxa',
  settledAmount: 'valor valorpago',
  settledDate: 'data datadopagamento datadepagamento',
};

/** Reads the head of a CSV file, and guesses its columns by their names in files and on the page. Undefined for a file without a header. */
export async function columnsIn(file: Blob, kind: FileKind): Promise<CsvColumns | undefined> {
  const bytes = await fromDisk(file.slice(0, 64_000).arrayBuffer(), 'file');
  // A character a byte: places in the text are places in the file.
  const text = new TextDecoder('windows-1252').decode(bytes);
  const [before = ''] = /^(ï»¿)?([ \t]*(sep=[;,][ \t]*)?\r?\n)*/i.exec(text) ?? [];
  const [header = ''] = text.slice(before.length).split(/\r?\n/, 1);
  if (header.trim() === '') return undefined;
  const delimiter = header.includes(';') ? ';' : ',';
  const { data } = Papa.parse<string[]>(readable(bytes.slice(before.length)), {
    delimiter,
    preview: 4,
    skipEmptyLines: true,
  });
  const [names = [], ...rows] = data;
  const wanted = wantedOf(kind);
  // A column with our name is ours, whatever stands before it.
  const ours = names.map((name) => wanted.find((column) => bare(column) === bare(name)) ?? '');
  let free = wanted.filter((column) => !ours.includes(column));
  const chosen = names.map((name, at) => {
    const found = free.find((column) =>
      [bare(fieldText(column)), ...(usual[column]?.split(' ') ?? [])].includes(bare(name)),
    );
    if (ours[at] !== '' || found === undefined) return ours[at] ?? '';
    free = free.filter((column) => column !== found);
    return found;
  });
  return { delimiter, names, rows, chosen, from: before.length, to: before.length + header.length };
}

function readable(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Returns the file with the chosen columns as its header: those without a name are not read. */
export function renamed(file: Blob, { chosen, delimiter, from, to }: CsvColumns): Blob {
  return new Blob([file.slice(0, from), chosen.join(delimiter), file.slice(to)]);
}

/** The columns of a file with their first values, each with the column of ours that it is. */
export function ColumnsTable(props: {
  readonly kind: FileKind;
  readonly columns: CsvColumns;
  readonly onChange: (chosen: readonly string[]) => void;
}) {
  const { kind, columns, onChange } = props;
  const { send: text } = originatorTexts.get();
  const { names, rows, chosen } = columns;
  return (
    <Table
      caption={text.columns}
      rows={names.map((name, at) => ({ name, at }))}
      keyOf={({ at }) => String(at)}
      columns={[
        { label: text.ownColumn, kind: 'wide', cell: ({ name }) => name },
        { label: text.firstValues, kind: 'wide', cell: ({ at }) => rows.flatMap((row) => row[at] ?? []).join(' · ') },
        {
          label: text.readAs,
          kind: 'nowrap',
          cell: ({ name, at }) => (
            <select
              aria-label={`${text.readAs}: ${name}`}
              value={chosen[at] ?? ''}
              // A column of ours is one of theirs.
              onChange={({ currentTarget: { value } }) => {
                onChange(chosen.map((before, place) => (place === at ? value : before === value ? '' : before)));
              }}
            >
              <option value="">{text.notRead}</option>
              {wantedOf(kind).map((column) => (
                <option key={column} value={column}>
                  {fieldText(column)}
                </option>
              ))}
            </select>
          ),
        },
      ]}
    />
  );
}
