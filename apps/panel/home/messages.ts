export const queueNames = {
  mail: ['E-mails', 'Mail'],
  events: ['Eventos', 'Events'],
  'credit-batches': ['Lotes de créditos', 'Credit batches'],
  'settlement-batches': ['Lotes de liquidação', 'Settlement batches'],
  'price-requests': ['Pedidos de preços', 'Price requests'],
  withdrawals: ['Saques', 'Withdrawals'],
  'set-aside-deposits': ['Depósitos separados', 'Deposits set aside'],
  hedges: 'Hedges',
  deliveries: ['Entregas de webhooks', 'Webhook deliveries'],
} as const;

/** Texts of the panel's home page, Portuguese first. A counted text has a `one` and an `other` form. */
export const texts = {
  title: ['Início', 'Home'],
  needed: ['Precisa de você', 'Needs you'],
  nothing: ['Nada espera por você.', 'Nothing waits for you.'],
  failing: {
    one: ['1 webhook falha', '1 webhook fails'],
    other: ['# webhooks falham', '# webhooks fail'],
  },
  rejected: {
    one: ['1 lote rejeitado em 7 dias', '1 batch rejected in 7 days'],
    other: ['# lotes rejeitados em 7 dias', '# batches rejected in 7 days'],
  },
  operator: {
    prices: ['Preços do dia', 'Prices of the day'],
    of: (current: string, all: string) => [`${current} de ${all}`, `${current} of ${all}`],
    lastImport: (moment: string) => [`última importação em ${moment}`, `last import at ${moment}`],
    approvals: ['Saques a aprovar', 'Withdrawals to approve'],
    byOthers: {
      one: ['1 que só outro operador aprova', '1 that only another operator may approve'],
      other: ['# que só outros operadores aprovam', '# that only other operators may approve'],
    },
    findings: ['Divergências abertas', 'Open findings'],
    lateWork: ['Trabalhos atrasados', 'Late work'],
    withdrawals: {
      one: ['1 saque espera aprovação', '1 withdrawal waits for approval'],
      other: ['# saques esperam aprovação', '# withdrawals wait for approval'],
    },
    withdrawal: (value: string, to: string, made: string, needed: string) => [
      `${value} para ${to} · ${made} de ${needed} aprovações`,
      `${value} to ${to} · ${made} of ${needed} approvals`,
    ],
    reconciliation: {
      one: ['1 divergência da conciliação', '1 finding of the reconciliation'],
      other: ['# divergências da conciliação', '# findings of the reconciliation'],
    },
    quarantined: {
      one: ['1 depósito em quarentena', '1 deposit in quarantine'],
      other: ['# depósitos em quarentena', '# deposits in quarantine'],
    },
    stuck: {
      one: ['1 saque parado', '1 withdrawal is stuck'],
      other: ['# saques parados', '# withdrawals are stuck'],
    },
    covenants: {
      one: ['1 covenant descumprido', '1 breached covenant'],
      other: ['# covenants descumpridos', '# breached covenants'],
    },
    covenant: (operation: string, title: string, value: string, threshold: string) => [
      `${operation}: ${title} em ${value}, limite ${threshold}`,
      `${operation}: ${title} at ${value}, threshold ${threshold}`,
    ],
    missing: {
      one: ['Falta o preço do dia de 1 série', '1 series lacks the price of the day'],
      other: ['Faltam os preços do dia de # séries', '# series lack the price of the day'],
    },
    work: {
      one: ['1 trabalho falhou ou está atrasado', '1 job or queue failed or is late'],
      other: ['# trabalhos falharam ou estão atrasados', '# jobs or queues failed or are late'],
    },
    queueNames,
  },
  company: {
    total: ['Carteira em reais', 'Wallet in BRL'],
    totalNote: ['pela melhor oferta de compra', 'at the best bids'],
    synthetic: ['Carteira simulada em reais', 'Simulated wallet in BRL'],
    without: (currencies: string) => [`sem preço agora: ${currencies}`, `no price now: ${currencies}`],
    available: ['Disponível em reais', 'Available BRL'],
    orders: {
      one: ['1 ordem aberta', '1 open order'],
      other: ['# ordens abertas', '# open orders'],
    },
    waiting: {
      one: ['1 saque espera a casa', '1 withdrawal waits for the house'],
      other: ['# saques esperam a casa', '# withdrawals wait for the house'],
    },
    failed: {
      one: ['1 saque devolvido em 7 dias', '1 withdrawal returned in 7 days'],
      other: ['# saques devolvidos em 7 dias', '# withdrawals returned in 7 days'],
    },
    sent: {
      one: ['1 saque a caminho', '1 withdrawal on its way'],
      other: ['# saques a caminho', '# withdrawals on their way'],
    },
    deposits: {
      one: ['1 depósito a confirmar', '1 deposit to be confirmed'],
      other: ['# depósitos a confirmar', '# deposits to be confirmed'],
    },
    blocked: {
      one: ['1 depósito em quarentena', '1 deposit in quarantine'],
      other: ['# depósitos em quarentena', '# deposits in quarantine'],
    },
    halted: {
      one: ['1 mercado suspenso', '1 halted market'],
      other: ['# mercados suspensos', '# halted markets'],
    },
    sides: {
      BUY: ['compra', 'buy'],
      SELL: ['venda', 'sell'],
    },
  },
  originator: {
    open: ['Saldo em aberto', 'Open balance'],
    contracts: {
      one: ['1 contrato', '1 contract'],
      other: ['# contratos', '# contracts'],
    },
    due: ['Saldo com parcela a vencer em 7 dias', 'Open with an instalment due in 7 days'],
    overdue: ['Saldo com parcela vencida', 'Open with an overdue instalment'],
    refused: {
      one: ['1 lote com contratos recusados', '1 batch with refused contracts'],
      other: ['# lotes com contratos recusados', '# batches with refused contracts'],
    },
    refusedBatch: (name: string, refused: string, all: string) => [
      `${name}: ${refused} de ${all} contratos`,
      `${name}: ${refused} of ${all} contracts`,
    ],
    settlements: {
      one: ['1 lote de liquidação rejeitado em 7 dias', '1 settlement batch rejected in 7 days'],
      other: ['# lotes de liquidação rejeitados em 7 dias', '# settlement batches rejected in 7 days'],
    },
    drafts: {
      one: ['1 rascunho por enviar', '1 draft to submit'],
      other: ['# rascunhos por enviar', '# drafts to submit'],
    },
    overdueContracts: {
      one: ['1 contrato com parcela vencida', '1 contract with an overdue instalment'],
      other: ['# contratos com parcela vencida', '# contracts with an overdue instalment'],
    },
    dueContracts: {
      one: ['1 contrato com parcela a vencer em 7 dias', '1 contract with an instalment due in 7 days'],
      other: ['# contratos com parcela a vencer em 7 dias', '# contracts with an instalment due in 7 days'],
    },
  },
  developer: {
    requests: ['Requisições hoje', 'Requests today'],
    refused: ['Recusadas hoje', 'Refused today'],
    keys: ['Chaves ativas', 'Active keys'],
    errors: {
      one: ['1 requisição com erro em 24 horas', '1 failed request in 24 hours'],
      other: ['# requisições com erro em 24 horas', '# failed requests in 24 hours'],
    },
    error: (request: string, status: string) => [
      `a mais frequente: ${request} (${status})`,
      `most often: ${request} (${status})`,
    ],
    deactivated: {
      one: ['1 webhook desativado', '1 deactivated webhook'],
      other: ['# webhooks desativados', '# deactivated webhooks'],
    },
    expiring: {
      one: ['1 chave vence em 30 dias', '1 key expires in 30 days'],
      other: ['# chaves vencem em 30 dias', '# keys expire in 30 days'],
    },
    expires: (name: string, day: string) => [`${name} em ${day}`, `${name} on ${day}`],
    noKeys: ['Crie uma chave de API', 'Create an API key'],
    noKeysText: [
      'Com ela seus programas leem operações, preços e pagamentos.',
      'Your programs read operations, prices and payments with it.',
    ],
  },
  reader: {
    none: ['Você ainda não segue nenhuma operação.', 'You do not follow any operation yet.'],
    follow: ['Escolher operações', 'Choose operations'],
    changed: (moment: string) => [`alterada em ${moment}`, `changed at ${moment}`],
    price: (ticker: string, value: string, day: string) => [
      `${ticker} a ${value} em ${day}`,
      `${ticker} at ${value} on ${day}`,
    ],
    alerts: {
      COVENANT_BREACHED: ['covenant descumprido', 'breached covenant'],
      PAYMENT_OVERDUE: ['pagamento em atraso', 'overdue payment'],
      OBLIGATION_OVERDUE: ['obrigação em atraso', 'overdue obligation'],
    },
  },
} as const;
