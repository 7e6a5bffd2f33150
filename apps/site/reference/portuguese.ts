import { eventsPortuguese } from '../../design/messages/webhook-events.pt-BR.js';

/** Portuguese texts of the OpenAPI document. Field descriptions and conditions of responses stay in English. */
export const portuguese = {
  title: 'API de emissões, tokenização e negociação',
  introduction: `
Dados públicos das operações de securitização de um emissor: certificados de recebíveis (CR, CRI, CRA) e debêntures; e dos patrimônios por trás delas,
com suas séries tokenizadas e seus ativos. Originadores cedem seus créditos a esses patrimônios e informam os pagamentos dos devedores por requisições
assinadas. Empresas permitem que seus clientes negociem criptoativos em várias corretoras.

## Primeira chamada
1. Cadastre-se, confirme seu e-mail pelo link recebido e entre.
2. Crie uma chave de API com o token da sessão. A chave completa aparece uma vez.
3. Envie a chave como \`X-API-Key\` em cada requisição de dados das operações.

Os caminhos em \`/public/\` não pedem conta nem chave. As requisições aos caminhos em \`/tidc/\` são assinadas por um cliente que o emissor cadastrou: veja o
esquema \`signature\`. Empresas que negociam recebem um par de \`apiKey\` e \`secretKey\`, entram com \`POST /v1/auth/login\` e enviam o token de acesso como
\`Authorization: Bearer\`.

Erros, limites, listas, chaves de idempotência e leituras condicionais são iguais em todos os caminhos: veja as [regras comuns](/docs/guides/common), em inglês
como as descrições dos campos.
`.trim(),
  tags: {
    Account: { name: 'Conta', description: 'Contas e sessões do painel de desenvolvedores.' },
    'API keys': {
      name: 'Chaves de API',
      description: 'Chaves dos dados das operações. Estes caminhos pedem uma sessão.',
    },
    'Operation data': {
      name: 'Dados das operações',
      description: 'Dados públicos das operações. Estes caminhos pedem uma chave de API.',
    },
    Tokenization: {
      name: 'Tokenização',
      description:
        'Dados públicos de patrimônios, suas séries tokenizadas e seus ativos. Estes caminhos não pedem credencial.',
    },
    Developer: {
      name: 'Desenvolvedor',
      description:
        'Contratos de tokens em blockchain, e webhooks. Estes caminhos pedem uma chave de desenvolvedor (`svc_dev_…`) com o escopo que o caminho nomeia; crie uma por GraphQL (`createDeveloperKey`) com uma sessão.',
    },
    'Credit assignment': {
      name: 'Cessão de créditos',
      description:
        'Créditos que originadores cedem a patrimônios, em lotes. Cada requisição é assinada pelo cliente, que vê apenas os próprios dados.',
    },
    Trading: {
      name: 'Negociação',
      description:
        'Negociação de criptoativos, para empresas e seus clientes. Estes caminhos pedem o token de acesso de uma credencial com o escopo que o caminho nomeia.',
    },
    Agents: {
      name: 'Agentes',
      description: 'Consultas desta API como ferramentas de agentes de IA, pelo Model Context Protocol.',
    },
  } as Readonly<Record<string, { readonly name: string; readonly description: string }>>,
  summaries: {
    register: 'Cadastrar uma conta',
    verifyEmail: 'Confirmar um e-mail',
    resendVerification: 'Reenviar a confirmação do e-mail',
    login: 'Entrar',
    forgotPassword: 'Pedir a redefinição da senha',
    resetPassword: 'Definir uma senha nova',
    logout: 'Sair',
    me: 'Obter a conta da sessão',
    apiKeys: 'Listar as chaves de API',
    createApiKey: 'Criar uma chave de API',
    revokeApiKey: 'Revogar uma chave de API',
    operationCards: 'Listar as operações',
    operationDetail: 'Obter uma operação',
    reportMonths: 'Listar os meses do relatório de gestão',
    managementReport: 'Obter o relatório de gestão',
    inventory: 'Listar o estoque de créditos',
    trancheList: 'Listar as séries',
    trancheDetails: 'Obter uma série',
    unitPriceList: 'Listar os preços unitários de uma série',
    paymentSchedule: 'Obter o cronograma de pagamentos de uma série',
    patrimonyList: 'Listar os patrimônios',
    assetList: 'Listar os ativos',
    assetSummary: 'Obter o resumo dos ativos',
    assetDetail: 'Obter um ativo',
    developerContracts: 'Listar os contratos de tokens',
    developerContract: 'Obter um contrato de token',
    webhooks: 'Listar os webhooks',
    createWebhook: 'Criar um webhook',
    webhook: 'Obter um webhook',
    updateWebhook: 'Alterar um webhook',
    deleteWebhook: 'Excluir um webhook',
    rotateWebhookSecret: 'Gerar novo segredo de um webhook',
    testWebhook: 'Enviar um evento de teste',
    activateWebhook: 'Ativar um webhook',
    webhookDeliveries: 'Listar as entregas',
    redeliverWebhook: 'Reenviar uma entrega',
    replayWebhook: 'Reenviar os eventos perdidos',
    createCreditBatch: 'Criar um lote de créditos',
    creditBatchList: 'Listar os lotes de créditos',
    creditBatchDetail: 'Obter um lote de créditos',
    creditBatchCheck: 'Conferir um lote de créditos antes de submetê-lo',
    addContracts: 'Adicionar contratos a um lote de créditos',
    replaceContracts: 'Substituir os contratos de um lote de créditos',
    removeContract: 'Retirar um contrato de um lote de créditos',
    submitCreditBatch: 'Submeter um lote de créditos',
    cancelCreditBatch: 'Cancelar um lote de créditos',
    remakeCreditBatch: 'Refazer um lote de créditos rejeitado sem os contratos com erros',
    creditBatchReturn: 'Baixar o arquivo de retorno de um lote de créditos',
    creditBatchTerm: 'Baixar o termo de cessão de um lote de créditos',
    receivableList: 'Listar os recebíveis de um lote de créditos',
    receivableLookup: 'Encontrar recebíveis pelo identificador externo',
    receivableDetail: 'Obter um recebível',
    receivableStatement: 'Obter o extrato de um mês',
    createSettlementBatch: 'Criar um lote de liquidação',
    settlementBatchList: 'Listar os lotes de liquidação',
    settlementBatchDetail: 'Obter um lote de liquidação',
    submitSettlementBatch: 'Submeter um lote de liquidação',
    cancelSettlementBatch: 'Cancelar um lote de liquidação',
    checkAssignmentFile: 'Conferir um arquivo de cessão antes de enviá-lo',
    checkSettlementFile: 'Conferir um arquivo de liquidação antes de enviá-lo',
    checkAssignmentFileAsPerson: 'Conferir um arquivo de cessão antes de enviá-lo como pessoa',
    checkSettlementFileAsPerson: 'Conferir um arquivo de liquidação antes de enviá-lo como pessoa',
    createCreditBatchFromFile: 'Enviar um arquivo de cessão como pessoa',
    createSettlementBatchFromFile: 'Enviar um arquivo de liquidação como pessoa',
    tradingLogin: 'Entrar como empresa',
    refreshTradingTokens: 'Renovar os tokens',
    createProfile: 'Abrir um perfil',
    fetchProfiles: 'Listar os perfis',
    fetchProfilesUnversioned: 'Listar os perfis',
    fetchDeposits: 'Listar os depósitos',
    fetchWithdrawals: 'Listar os saques',
    fetchDepositAddress: 'Obter os endereços de depósito',
    withdraw: 'Sacar',
    fetchBalance: 'Obter os saldos de uma carteira',
    fetchStatement: 'Obter o extrato de uma carteira',
    fetchMarkets: 'Listar os mercados',
    fetchTicker: 'Obter um ticker',
    fetchHistoricalPrices: 'Listar os candles',
    poolsBalances: 'Obter os saldos nas corretoras',
    poolsBalancesUnversioned: 'Obter os saldos nas corretoras',
    createOrder: 'Enviar uma ordem',
    fetchOrder: 'Obter uma ordem',
    fetchOrders: 'Listar as ordens',
    cancelOrder: 'Cancelar uma ordem',
    createQuote: 'Pedir uma cotação',
    fetchQuote: 'Obter uma cotação',
    createOrderFromQuote: 'Executar uma cotação',
    executeQuote: 'Executar uma cotação',
    mcp: 'Enviar mensagens do Model Context Protocol',
    mcpTools: 'Listar as ferramentas',
  } as Readonly<Record<string, string>>,
  events: eventsPortuguese,
};
