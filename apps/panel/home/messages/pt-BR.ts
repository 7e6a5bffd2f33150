/** The work queues, by their names in the graph. */
export const queueNames: Readonly<Record<string, string>> = {
  mail: 'E-mails',
  events: 'Eventos',
  'credit-batches': 'Lotes de créditos',
  'settlement-batches': 'Lotes de liquidação',
  'price-requests': 'Pedidos de preços',
  withdrawals: 'Saques',
  'set-aside-deposits': 'Depósitos separados',
  hedges: 'Hedges',
  deliveries: 'Entregas de webhooks',
};

/** Texts of the page on which the panel opens, in Portuguese. A count is in its `one` or its `other` form. */
export const portuguese = {
  title: 'Início',
  needed: 'Precisa de você',
  nothing: 'Nada espera por você.',
  failing: { one: '1 webhook falha', other: '# webhooks falham' },
  rejected: { one: '1 lote rejeitado em 7 dias', other: '# lotes rejeitados em 7 dias' },
  operator: {
    prices: 'Preços do dia',
    of: (current: string, all: string) => `${current} de ${all}`,
    lastImport: (moment: string) => `última importação em ${moment}`,
    approvals: 'Saques a aprovar',
    byOthers: { one: '1 que só outro operador aprova', other: '# que só outros operadores aprovam' },
    findings: 'Divergências abertas',
    lateWork: 'Trabalhos atrasados',
    withdrawals: { one: '1 saque espera aprovação', other: '# saques esperam aprovação' },
    withdrawal: (value: string, to: string, made: string, needed: string) =>
      `${value} para ${to} · ${made} de ${needed} aprovações`,
    reconciliation: { one: '1 divergência da conciliação', other: '# divergências da conciliação' },
    quarantined: { one: '1 depósito em quarentena', other: '# depósitos em quarentena' },
    stuck: { one: '1 saque parado', other: '# saques parados' },
    covenants: { one: '1 covenant descumprido', other: '# covenants descumpridos' },
    covenant: (operation: string, title: string, value: string, threshold: string) =>
      `${operation}: ${title} em ${value}, limite ${threshold}`,
    missing: { one: 'Falta o preço do dia de 1 série', other: 'Faltam os preços do dia de # séries' },
    work: { one: '1 trabalho falhou ou está atrasado', other: '# trabalhos falharam ou estão atrasados' },
    queueNames,
  },
  company: {
    total: 'Carteira em reais',
    totalNote: 'pela melhor oferta de compra',
    synthetic: 'Carteira simulada em reais',
    without: (currencies: string) => `sem preço agora: ${currencies}`,
    available: 'Disponível em reais',
    orders: { one: '1 ordem aberta', other: '# ordens abertas' },
    waiting: { one: '1 saque espera a casa', other: '# saques esperam a casa' },
    failed: { one: '1 saque devolvido em 7 dias', other: '# saques devolvidos em 7 dias' },
    sent: { one: '1 saque a caminho', other: '# saques a caminho' },
    deposits: { one: '1 depósito a confirmar', other: '# depósitos a confirmar' },
    blocked: { one: '1 depósito em quarentena', other: '# depósitos em quarentena' },
    halted: { one: '1 mercado suspenso', other: '# mercados suspensos' },
    sides: { BUY: 'compra', SELL: 'venda' },
  },
  originator: {
    open: 'Saldo em aberto',
    contracts: { one: '1 contrato', other: '# contratos' },
    due: 'Saldo com parcela a vencer em 7 dias',
    overdue: 'Saldo com parcela vencida',
    refused: { one: '1 lote com contratos recusados', other: '# lotes com contratos recusados' },
    refusedBatch: (name: string, refused: string, all: string) => `${name}: ${refused} de ${all} contratos`,
    settlements: {
      one: '1 lote de liquidação rejeitado em 7 dias',
      other: '# lotes de liquidação rejeitados em 7 dias',
    },
    drafts: { one: '1 rascunho por enviar', other: '# rascunhos por enviar' },
    overdueContracts: {
      one: '1 contrato com parcela vencida',
      other: '# contratos com parcela vencida',
    },
    dueContracts: {
      one: '1 contrato com parcela a vencer em 7 dias',
      other: '# contratos com parcela a vencer em 7 dias',
    },
  },
  developer: {
    requests: 'Requisições hoje',
    refused: 'Recusadas hoje',
    keys: 'Chaves ativas',
    errors: { one: '1 requisição com erro em 24 horas', other: '# requisições com erro em 24 horas' },
    error: (request: string, status: string) => `a mais frequente: ${request} (${status})`,
    deactivated: { one: '1 webhook desativado', other: '# webhooks desativados' },
    expiring: { one: '1 chave vence em 30 dias', other: '# chaves vencem em 30 dias' },
    expires: (name: string, day: string) => `${name} em ${day}`,
    noKeys: 'Crie uma chave de API',
    noKeysText: 'Com ela seus programas leem operações, preços e pagamentos.',
  },
  reader: {
    none: 'Você ainda não segue nenhuma operação.',
    follow: 'Escolher operações',
    changed: (moment: string) => `alterada em ${moment}`,
    price: (ticker: string, value: string, day: string) => `${ticker} a ${value} em ${day}`,
    alerts: {
      COVENANT_BREACHED: 'covenant descumprido',
      PAYMENT_OVERDUE: 'pagamento em atraso',
      OBLIGATION_OVERDUE: 'obrigação em atraso',
    },
  },
};

export type Messages = typeof portuguese;
