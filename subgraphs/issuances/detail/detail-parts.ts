import { formatCurrency, formatDate, formatPercent, shown } from '../../../shared/format/format.js';
import type { Shape } from '../../../shared/subgraph/shape.js';
import { obligationLabels, obligationStatus, periodicityLabels } from '../obligations/obligation.js';
import type { AssemblyRow, ObligationRow, PaymentRow } from '../operations/operation-parts.store.js';
import { paymentStatus } from '../payments/payment.js';
import type { Assembleia, DetailObligation, DetailPayment } from './detail-parts.type.js';
import type { Moment } from './moment.js';

export function toDetailObligation(obligation: ObligationRow, today: string): Shape<DetailObligation> {
  const status = obligationStatus(obligation, today);
  return {
    titulo: obligation.title,
    descricao: obligation.description,
    responsavel: obligation.responsible,
    periodicidade: periodicityLabels[obligation.periodicity],
    dataVencimento: formatDate(obligation.dueDate),
    dataEntrega: obligation.deliveredDate === null ? null : formatDate(obligation.deliveredDate),
    status: obligationLabels[status],
    dataVencimentoRaw: obligation.dueDate,
    dataEntregaRaw: obligation.deliveredDate,
    statusRaw: status,
  };
}

export function toDetailPayment(
  payment: PaymentRow,
  tickers: ReadonlyMap<string, string>,
  { today, calendar }: Moment,
): Shape<DetailPayment> {
  return {
    installmentNumber: payment.installmentNumber,
    dueDate: formatDate(payment.dueDate),
    dataPagamento: shown(payment.paidDate, formatDate),
    status: paymentStatus(payment, today, calendar),
    interestValue: shown(payment.interestValue, formatCurrency),
    principalValue: shown(payment.principalValue, formatCurrency),
    totalValue: payment.totalValue === null ? null : formatCurrency(payment.totalValue),
    trancheTicker: payment.seriesId === null ? null : (tickers.get(payment.seriesId) ?? null),
    evento: payment.event,
    dueDateRaw: payment.dueDate,
    dataPagamentoRaw: payment.paidDate,
    interestValueRaw: payment.interestValue,
    principalValueRaw: payment.principalValue,
    totalValueRaw: payment.totalValue,
  };
}

export function toAssembleia(assembly: AssemblyRow): Shape<Assembleia> {
  return {
    data: formatDate(assembly.date),
    tipo: assembly.type,
    titulo: assembly.title,
    convocacao: assembly.call,
    status: assembly.status,
    pauta: assembly.agenda,
    deliberacao: assembly.resolution,
    quorum: assembly.quorumPercent === null ? null : formatPercent(assembly.quorumPercent),
    url: assembly.url,
    dataRaw: assembly.date,
  };
}
