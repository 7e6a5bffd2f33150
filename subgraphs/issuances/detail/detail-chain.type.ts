import { Field, ObjectType } from 'type-graphql';
import { day, decimal, fields, int, list, nullable, text } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'A contract of an operation on a public chain.' })
export class BlockchainContract extends fields({
  endereco: text('Address'),
  rede: text('Network'),
  chainId: int('Chain id (EIP-155)'),
  padrao: text('Standard: ERC-721A…'),
  nome: text('Name of the token'),
  simbolo: text('Symbol of the token'),
  serie: nullable.text('Ticker of the series that it tokenizes'),
  quantidadeTokens: text('Number of tokens into which the series is divided: `150.000`'),
  totalEmitido: text('Number of existing tokens'),
  dataImplantacao: text('Day of deployment, `DD/MM/YYYY`'),
  explorerUrl: nullable.text('The contract in a block explorer'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An event of a contract on its chain.' })
export class BlockchainActivity extends fields({
  tipo: text('Type, a free label: MINT, TRANSFER…'),
  data: text('Date, `DD/MM/YYYY`'),
  contrato: text('Address of the contract'),
  transacao: text('Hash of the transaction'),
  bloco: text('Number of the block'),
  de: nullable.text('Address of the sender'),
  para: nullable.text('Address of the recipient'),
  quantidade: nullable.text('Number of tokens'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The contracts of an operation on public chains, and their events.' })
export class BlockchainData extends fields({
  rede: nullable.text('Network, or networks separated by commas; null when nothing is on a chain'),
  contratos: list(() => BlockchainContract, 'Contracts, oldest first', { assumedSize: 20 }),
  atividade: list(() => BlockchainActivity, 'The last 100 events, newest first', { assumedSize: 100 }),
}) {}

@ObjectType({
  simpleResolvers: true,
  description: "Comparison of the issuer's unit price of a series with that of the trustee firm.",
})
export class TrusteeComparison extends fields({
  serie: text('Number of the series'),
  ticker: text('Ticker of the series'),
  agente: text('The trustee firm'),
  data: text('Day of both prices, `DD/MM/YYYY`: the latest one that the firm published'),
  puEmissora: nullable.text("The issuer's price: `R$ 1.034,12345678`"),
  puAgente: text('Price of the trustee firm'),
  diferenca: nullable.text('Price of the issuer less that of the trustee firm'),
  diferencaPercentual: nullable.text('Difference relative to the price of the trustee firm: `0,0001%`'),
  dataRaw: day('Day of both prices, `YYYY-MM-DD`'),
  puEmissoraRaw: nullable.decimal("The issuer's price in BRL, 8 decimals"),
  puAgenteRaw: decimal('Price of the trustee firm in BRL, 8 decimals'),
  diferencaRaw: nullable.decimal('Difference in BRL, 8 decimals'),
  diferencaPercentualRaw: nullable.decimal('Difference in percent, 6 decimals'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The unit price of a day.' })
export class PricePoint extends fields({
  data: text('Date, `DD/MM/YYYY`'),
  valor: text('The price with 8 decimals: `R$ 1.034,12345678`'),
  dataRaw: day('Date, `YYYY-MM-DD`'),
  valorRaw: decimal('The price in BRL, 8 decimals'),
  projected: nullable.of<true>(
    () => Boolean,
    'True where it was made with a projected index number, since the number itself was not published; else null',
  ),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Unit prices of a series.' })
export class SeriesPricing extends fields({
  serie: text('Number of the series'),
  ticker: text('Ticker of the series'),
  atual: nullable.of(() => PricePoint, 'Current price; null while there is none'),
  d1: nullable.of(
    () => PricePoint,
    'Price of the business day before the current price (D-1); null where that day has none',
  ),
  d2: nullable.of(
    () => PricePoint,
    'Price of the second business day before the current price (D-2); null where that day has none',
  ),
  variacao: nullable.text(
    'Change from D-1 to the current price, without payments: `0,0512%`; a payment lowers the price (`pagamentoUnitario`). Null without D-1',
  ),
  variacaoRaw: nullable.decimal('Change from D-1 to the current price, without payments, in percent, 4 decimals'),
  pagamentoUnitario: nullable.text(
    'What was paid on a unit between D-1 and the current price, 8 decimals: `R$ 0,00000000` without a payment; null without D-1 and where the amount of a payment is not known',
  ),
  pagamentoUnitarioRaw: nullable.decimal('What was paid on a unit in BRL, 8 decimals'),
  retorno: nullable.text(
    'Return from D-1 to the current price, with what was paid reinvested: `0,0512%`. Null where `pagamentoUnitario` is',
  ),
  retornoRaw: nullable.decimal('That return in percent, 4 decimals'),
  overdueValue: nullable.text(
    'What is due on a unit and unpaid, beside the current price, which is without it: `R$ 0,00000000` where nothing is; null where an amount is not known',
  ),
  overdueValueRaw: nullable.decimal('What is due on a unit and unpaid in BRL, 8 decimals'),
}) {
  // A field resolver takes its type from here.
  @Field(() => [PricePoint], {
    description: 'History, oldest first: the last 756 prices (about three years of business days)',
  })
  historico!: readonly PricePoint[];
}

@ObjectType({ simpleResolvers: true, description: 'A bank account of an operation.' })
export class FinanceAccount extends fields({
  finalidade: text('Purpose of the account: Conta centralizadora, Fundo de reserva…'),
  banco: text('Bank'),
  agencia: nullable.text('Branch'),
  conta: nullable.text('Number'),
  saldo: nullable.text('Balance: `R$ 1.234.567,89`'),
  saldoMinimo: nullable.text('Minimum balance that the deed requires'),
  dataSaldo: nullable.text('Day of the balance, `DD/MM/YYYY`'),
  saldoRaw: nullable.decimal('Balance in BRL, 2 decimals'),
  saldoMinimoRaw: nullable.decimal('Minimum balance in BRL, 2 decimals'),
  dataSaldoRaw: nullable.day('Day of the balance, `YYYY-MM-DD`'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An investment that is permitted for the cash of an operation.' })
export class FinanceInvestment extends fields({
  descricao: text('Kind of investment'),
  instituicao: nullable.text('Institution'),
  limite: nullable.text('Maximum share of the available cash: `50,00%`'),
  valorAplicado: nullable.text('Invested amount: `R$ 1.234.567,89`'),
  dataPosicao: nullable.text('Day of the invested amount, `DD/MM/YYYY`'),
  limiteRaw: nullable.decimal('Maximum share of the available cash in percent, 4 decimals'),
  valorAplicadoRaw: nullable.decimal('Invested amount in BRL, 2 decimals'),
  dataPosicaoRaw: nullable.day('Day of the invested amount, `YYYY-MM-DD`'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'The bank accounts of an operation and its permitted investments.' })
export class OperationFinance extends fields({
  contas: list(() => FinanceAccount, 'Accounts'),
  aplicacoesPermitidas: list(() => FinanceInvestment, 'Permitted investments'),
}) {}
