import { isRecord } from '../shared/kernel/is-record.js';

type Row = Readonly<Record<string, unknown>>;

/** Renders a result: values as a list, lists of objects as tables, the rest under headings. `volumeRaw` is left out beside `volume`. */
export function toMarkdown(title: string, value: Row): string {
  return `${section(oneLine(title), value, 1).join('\n\n')}\n`;
}

function section(heading: string, value: Row, level: number): string[] {
  const entries = Object.entries(shown(value)).filter(([, one]) => !isEmpty(one));
  const plain = entries.filter(([, one]) => !isNested(one)).map(([key, one]) => `- ${labelOf(key)}: ${cell(one)}`);
  const nested = entries.filter(([, one]) => isNested(one));
  return [
    `${'#'.repeat(Math.min(level, 6))} ${heading}`,
    ...(plain.length === 0 ? [] : [plain.join('\n')]),
    ...nested.flatMap(([key, one]) => part(key, one, level + 1)),
  ];
}

function part(key: string, value: unknown, level: number): string[] {
  const heading = labelOf(key);
  if (isRecord(value)) return section(heading, value, level);
  const rows = rowsOf(value) ?? [];
  const flat = rows.map(flattened);
  if (flat.some((row) => Object.values(row).some(isNested))) {
    return [
      `${'#'.repeat(Math.min(level, 6))} ${heading}`,
      ...rows.flatMap((row, index) => section(`${heading} ${index + 1}`, row, level + 1)),
    ];
  }
  return [`${'#'.repeat(Math.min(level, 6))} ${heading}`, table(flat)];
}

/** Leaves out what another field shows: `volumeRaw` beside `volume`. */
function shown(row: Row): Row {
  const isDouble = (key: string) => key.endsWith('Raw') && Object.hasOwn(row, key.slice(0, -'Raw'.length));
  return Object.fromEntries(Object.entries(row).filter(([key]) => !isDouble(key)));
}

/** Returns the cells of a row by their headings, with the members of an object of plain values beside the others, as `Atual, valor`. */
function flattened(row: Row): Row {
  return Object.fromEntries(
    Object.entries(shown(row)).flatMap(([key, value]) =>
      isRecord(value) && !Object.values(value).some(isNested)
        ? Object.entries(shown(value)).map(([name, one]) => [`${labelOf(key)}, ${labelOf(name).toLowerCase()}`, one])
        : [[labelOf(key), value]],
    ),
  );
}

function table(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((key) =>
    rows.some((row) => !isEmpty(row[key])),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((key) => cell(row[key])))),
  ].join('\n');
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

/** Whether a value needs a heading of its own: an object, or a list of objects. */
function isNested(value: unknown): boolean {
  return isRecord(value) || (rowsOf(value)?.length ?? 0) > 0;
}

/** Returns the items of a list of objects; undefined for any other value. */
function rowsOf(value: unknown): readonly Row[] | undefined {
  return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The text of another cannot end a cell, a line or a list of this document. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, ' ').replace(/[\\|<]/g, String.raw`\$&`);
}

/** Headings of the fields of resources in words. A field that is not listed is named by the words of its name. */
const labels: Readonly<Record<string, string>> = {
  acimaDe90Dias: 'Acima de 90 dias',
  aging: 'Atraso',
  amortizacaoProgramada: 'Amortização programada',
  carteira: 'Carteira',
  chips: 'Características',
  codigoIF: 'Código IF',
  concentracao: 'Concentração',
  covenants: 'Covenants',
  cpr: 'Pré-pagamento ao ano',
  cpr12Meses: 'Pré-pagamento ao ano, em 12 meses',
  d1: 'D-1',
  d2: 'D-2',
  dataBase: 'Data-base',
  dataChanged: 'Dados alterados depois',
  dataEmissao: 'Data de emissão',
  dataPu: 'Data do PU',
  dataVencimento: 'Data de vencimento',
  diasAte: 'Até (dias)',
  diasDe: 'De (dias)',
  generatedAt: 'Gerado em',
  hhi: 'HHI',
  href: 'Página',
  id: 'Identificador',
  inadimplencia: 'Contratos em atraso sobre a carteira',
  indexadorPercentual: 'Percentual do indexador',
  indice: 'Índice',
  isin: 'ISIN',
  kpis: 'Indicadores',
  label: 'Indicador',
  ltv: 'LTV',
  maiores: 'Maiores devedores',
  mes: 'Mês',
  month: 'Mês',
  name: 'Nome',
  numEmissao: 'Emissão',
  numero: 'Número',
  otIntegrado: 'PU do agente fiduciário',
  participacao: 'Participação',
  position: 'Posição',
  prazoMedioDias: 'Prazo médio (dias)',
  precificacao: 'Precificação',
  prePagamento: 'Pré-pagamento',
  prePago: 'Pré-pago',
  provisao: 'Provisão',
  pu: 'PU',
  quotasSubscritas: 'Quotas subscritas',
  remuneracao: 'Remuneração',
  saldoMezanino: 'Saldo mezanino',
  saldoSemGarantia: 'Saldo sem garantia',
  saldoSenior: 'Saldo sênior',
  saldoUnico: 'Saldo de série única',
  serie: 'Série',
  series: 'Séries',
  situacao: 'Situação',
  smm: 'SMM',
  sub: 'Resumo',
  subordinacao: 'Subordinação',
  taxaMedia: 'Taxa média',
  ticketMedio: 'Ticket médio',
  valorGarantias: 'Valor das garantias',
  valorNominalUnitario: 'Valor nominal unitário',
  value: 'Valor',
  variacao: 'Variação',
  versao: 'Versão',
};

/** Returns the heading of a field: `dataEmissao` becomes `Data de emissão`, and `saldoVencido`, which is not listed, `Saldo vencido`. */
function labelOf(field: string): string {
  const known = Object.hasOwn(labels, field) ? labels[field] : undefined;
  if (known !== undefined) return known;
  const words = field.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
