/** Portuguese descriptions of webhook events, by name. An event without one is shown in English, as the server describes it. */
export const eventsPortuguese: Readonly<Record<string, string>> = {
  'payment.completed': 'Uma parcela foi paga.',
  'payment.overdue':
    'Uma parcela está em atraso. Os valores faltam enquanto não se conhece o preço unitário de que dependem.',
  'tranche.event_declared': 'Foi declarado um evento de uma série, como um resgate antecipado.',
  'tranche.event_withdrawn': 'Um evento de uma série foi cancelado.',
  'tranche.status_changed': 'O estado de uma série mudou.',
  'tranche.unit_price_updated': 'O preço unitário de uma série foi recalculado.',
  'settlement.processed': 'Um lote de liquidação foi processado.',
  'settlement.failed': 'Um lote de liquidação foi rejeitado.',
  'settlement_batch.processed':
    'Um lote de liquidação foi processado; vem junto com settlement.processed, com o mesmo sentido.',
  'credit_batch.submitted': 'Um lote de créditos foi submetido.',
  'credit_batch.approved': 'Um lote de créditos passou pelos critérios de elegibilidade.',
  'credit_batch.processed': 'Um lote de créditos foi processado: seus recebíveis são ativos do patrimônio.',
  'credit_batch.rejected': 'Um lote de créditos foi rejeitado.',
  'contract.status_changed': 'O estado de um contrato mudou.',
  'order.filled': 'Uma ordem foi executada, no todo ou em parte.',
  'order.cancelled':
    'Uma ordem enviada terminou sem ser executada por inteiro: foi cancelada, expirou ou foi rejeitada pelas corretoras.',
  'deposit.confirmed': 'Um depósito foi confirmado.',
  'deposit.reversed': 'Um depósito confirmado foi revertido pela rede, ou o saldo que faltava por isso foi resolvido.',
  'withdrawal.completed': 'Um saque foi processado.',
};
