import type PDFDocument from 'pdfkit';
import { civilDate } from '../../../shared/kernel/clock.js';
import type { Context } from '../../../shared/kernel/context.js';
import { formatCurrency, formatDate, formatNumber } from '../../../shared/kernel/format/format.js';
import { formatDocument } from '../../../shared/kernel/tax-id.js';
import type { CreditBatchRow } from '../credit-batches/credit-batch.store.js';
import type { Estate } from '../estates/estate.store.js';
import { isAccepted, rowsOf, type Download } from './return-file.js';

export interface Parties {
  readonly originatorName: string;
  readonly estate: Pick<Estate, 'ticker' | 'name'>;
}

const columns = [
  { title: 'Contrato', x: 40, width: 130, align: 'left' },
  { title: 'Devedor', x: 175, width: 175, align: 'left' },
  { title: 'Vencimento', x: 355, width: 60, align: 'left' },
  { title: 'Valor de face', x: 415, width: 70, align: 'right' },
  { title: 'Preço', x: 485, width: 70, align: 'right' },
] as const;
const titles = columns.map(({ title }) => title);
/** Filled in by who signs: the house keeps none of its parties. */
const taxId = 'CNPJ: ____________________';
const lineHeight = 12;
const [left, right, bottom] = [40, 555, 790];

/** Returns the term of cession of the accepted contracts of a batch as PDF: its parties, its totals, the contracts and lines for signatures. */
export async function cessionTerm(context: Context, batch: CreditBatchRow, parties: Parties): Promise<Download> {
  const on = batch.processedAt ?? batch.createdAt;
  // The same batch gives the same file.
  const info = { Title: `Termo de cessão ${batch.id}`, CreationDate: on, ModDate: on };
  const { default: Document } = await import('pdfkit');
  const pdf = new Document({ size: 'A4', margin: left, info, bufferPages: true });
  const chunks: Buffer[] = [];
  const written = new Promise<Buffer>((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    pdf.on('error', reject);
  });
  writeHead(pdf, batch, parties, civilDate(on));
  writeCells(pdf, titles, 'Helvetica-Bold');
  for await (const row of rowsOf(context, batch)) {
    if (!isAccepted(row)) continue;
    const debtor = [formatDocument(row.debtorDocument), row.debtorName ?? ''].join(' ');
    const price = row.purchasePrice === null ? '' : formatCurrency(row.purchasePrice);
    const cells = [row.externalId, debtor, formatDate(row.dueDate), formatCurrency(row.faceValue), price];
    writeCells(pdf, cells, 'Helvetica');
  }
  writeTotals(pdf, batch);
  writeSignatures(pdf, parties);
  writeFeet(pdf, batch);
  pdf.end();
  return { fileName: `termo-${batch.id}.pdf`, mediaType: 'application/pdf', bytes: await written };
}

type Pdf = InstanceType<typeof PDFDocument>;

function writeHead(pdf: Pdf, batch: CreditBatchRow, { originatorName, estate }: Parties, day: string): void {
  pdf.font('Helvetica-Bold').fontSize(14).text('Termo de cessão de direitos creditórios', { align: 'center' });
  pdf.font('Helvetica').fontSize(9).moveDown();
  const lines = [
    `${numberOf(batch)}: ${batch.name} (${batch.id})`,
    `Cedente: ${originatorName}, ${taxId}`,
    `Cessionário: ${estate.name} (${estate.ticker}), ${taxId}`,
    `Data da cessão: ${formatDate(day)}`,
    `O cedente cede ao cessionário os direitos creditórios relacionados abaixo${batch.acceptedPurchasePrice === null ? '' : ', pelo preço indicado'}.`,
  ];
  for (const line of lines) pdf.text(printable(line));
  pdf.moveDown();
}

const numberOf = ({ number, createdAt }: CreditBatchRow) =>
  `Lote ${String(number).padStart(4, '0')}/${civilDate(createdAt).slice(0, 4)}`;

function writeTotals(pdf: Pdf, { acceptedCount, acceptedFaceValue, acceptedPurchasePrice }: CreditBatchRow): void {
  const price = acceptedPurchasePrice === null ? '' : formatCurrency(acceptedPurchasePrice);
  const count = `${formatNumber(acceptedCount ?? 0, 0)} contratos`;
  writeCells(pdf, ['Total', count, '', formatCurrency(acceptedFaceValue ?? '0'), price], 'Helvetica-Bold');
}

function writeSignatures(pdf: Pdf, { originatorName, estate }: Parties): void {
  const names = [`Cedente: ${originatorName}`, `Cessionário: ${estate.name}`, 'Testemunha 1', 'Testemunha 2'];
  for (const name of names) {
    if (pdf.y + 4 * lineHeight > bottom) pdf.addPage();
    const y = pdf.y + 3 * lineHeight;
    pdf
      .moveTo(left, y)
      .lineTo(left + 240, y)
      .stroke();
    pdf.text(printable(name), left, y + 3);
  }
}

/** Writes on each page which it is, of which batch. */
function writeFeet(pdf: Pdf, batch: CreditBatchRow): void {
  const { count } = pdf.bufferedPageRange();
  pdf.font('Helvetica').fontSize(8);
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    const text = `${numberOf(batch)} · página ${formatNumber(page + 1, 0)} de ${formatNumber(count, 0)}`;
    // Below the margin, where a text that may break would begin another page.
    pdf.text(text, left, bottom + 20, { lineBreak: false });
  }
}

/** Writes a line of the table, as high as its longest text needs: it names what is assigned. */
function writeCells(pdf: Pdf, texts: readonly string[], font: 'Helvetica' | 'Helvetica-Bold'): void {
  pdf.font(font).fontSize(8);
  const cells = columns.map(({ x, ...look }, index) => ({ x, look, text: printable(texts[index] ?? '') }));
  const height = Math.max(...cells.map(({ text, look }) => pdf.heightOfString(text, look))) + 2;
  if (pdf.y + height > bottom) {
    pdf.addPage();
    writeCells(pdf, titles, 'Helvetica-Bold');
    pdf.font(font);
  }
  const { y } = pdf;
  for (const { x, look, text } of cells) pdf.text(text, x, y, look);
  if (font === 'Helvetica-Bold')
    pdf
      .moveTo(left, y + height)
      .lineTo(right, y + height)
      .stroke();
  pdf.x = left;
  // The line of a head does not touch the row below it.
  pdf.y = y + height + (font === 'Helvetica-Bold' ? 4 : 0);
}

/** The standard fonts of PDF have the characters of Windows-1252. */
function printable(text: string): string {
  return text.normalize('NFC').replace(/[^ -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/g, '?');
}
