import type { Ruled } from '../frame/rule-text.js';

export type FileKind = 'assignment' | 'settlement';

export type FileFormat = 'CSV' | 'CNAB444' | 'NDJSON';

export const filePaths = {
  assignment: { path: '/v1/assignment-files', target: 'patrimonyId' },
  settlement: { path: '/v1/settlement-files', target: 'creditBatchId' },
} as const;

/** The head of a CSV file of a kind with an example: an assignment needs the first four columns, a settlement the first three. */
export const templates = {
  assignment:
    'externalId;debtorDocument;faceValue;dueDate;debtorName;debtorUf;purchasePrice;baseDate;interestRate;dayCount;coobligation;assignorDocument;invoiceKey;type\r\nEXEMPLO-1;11222333000181;1000,50;31/12/2035;Empresa de Exemplo Ltda;SP;950,00;;12,5;BUS252;false;;;CCB\r\n',
  settlement:
    'externalId;settledAmount;settledDate;paymentReference;kind;surplus;reason;substituteId\r\nEXEMPLO-1;1000,50;31/01/2026;NSU-1;PAYMENT;0;;\r\n',
} as const;

export const usual: Readonly<Record<string, string>> = {
  externalId: 'contrato, número do contrato',
  debtorDocument: 'CPF, CNPJ, CPF/CNPJ, documento, sacado',
  faceValue: 'valor, valor de face, valor nominal',
  dueDate: 'vencimento, data de vencimento',
  debtorName: 'nome, devedor',
  debtorUf: 'UF',
  purchasePrice: 'preço, valor de compra, valor de aquisição',
  interestRate: 'taxa',
  settledAmount: 'valor, valor pago',
  settledDate: 'data, data do pagamento, data de pagamento',
};

/** Returns the format of a file by its beginning: a header of CNAB 444 has 444 columns and begins with 0, NDJSON is objects. */
export async function formatOf(file: Blob): Promise<FileFormat> {
  const [first = ''] = (await file.slice(0, 2_000).text()).replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  if (first.trimStart().startsWith('{')) return 'NDJSON';
  return first.startsWith('0') && first.length === 444 ? 'CNAB444' : 'CSV';
}

/** The response of a check, as docs/contract/credit-assignment.md §5.3 describes it. */
export interface FileCheck {
  readonly lineCount: number;
  readonly total: string;
  readonly totalAbated: string | null;
  readonly accepted: boolean;
  readonly refusal: object | null;
  readonly eligible: boolean | null;
  readonly rejectionReason: string | null;
  readonly rejectionRules: readonly Ruled[] | null;
  readonly errorCount: number;
  readonly errors: readonly FileCheckError[];
  readonly errorFile?: string;
}

export interface FileCheckError {
  readonly line: number;
  readonly fromColumn: number | null;
  readonly toColumn: number | null;
  readonly field: string | null;
  readonly value: string | null;
  readonly rule: string;
  readonly message: string;
  readonly messagePt: string;
}
