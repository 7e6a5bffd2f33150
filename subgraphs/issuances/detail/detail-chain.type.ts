import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A contract of an operation on a public chain.' })
export class BlockchainContract {
  @Field(() => String, { description: 'Address' })
  endereco!: string;

  @Field(() => String, { description: 'Network' })
  rede!: string;

  @Field(() => Int, { description: 'Chain id (EIP-155)' })
  chainId!: number;

  @Field(() => String, { description: 'Standard: ERC-721A…' })
  padrao!: string;

  @Field(() => String, { description: 'Name of the token' })
  nome!: string;

  @Field(() => String, { description: 'Symbol of the token' })
  simbolo!: string;

  @Field(() => String, { nullable: true, description: 'Ticker of the series that it tokenizes' })
  serie!: string | null;

  @Field(() => String, { description: 'Number of tokens into which the series is divided: `150.000`' })
  quantidadeTokens!: string;

  @Field(() => String, { description: 'Number of existing tokens' })
  totalEmitido!: string;

  @Field(() => String, { description: 'Day of deployment, `DD/MM/YYYY`' })
  dataImplantacao!: string;

  @Field(() => String, { nullable: true, description: 'The contract in a block explorer' })
  explorerUrl!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An event of a contract on its chain.' })
export class BlockchainActivity {
  @Field(() => String, { description: 'Type, a free label: MINT, TRANSFER…' })
  tipo!: string;

  @Field(() => String, { description: 'Date, `DD/MM/YYYY`' })
  data!: string;

  @Field(() => String, { description: 'Address of the contract' })
  contrato!: string;

  @Field(() => String, { description: 'Hash of the transaction' })
  transacao!: string;

  @Field(() => String, { description: 'Number of the block' })
  bloco!: string;

  @Field(() => String, { nullable: true, description: 'Address of the sender' })
  de!: string | null;

  @Field(() => String, { nullable: true, description: 'Address of the recipient' })
  para!: string | null;

  @Field(() => String, { nullable: true, description: 'Number of tokens' })
  quantidade!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The contracts of an operation on public chains, and their events.' })
export class BlockchainData {
  @Field(() => String, {
    nullable: true,
    description: 'Network, or networks separated by commas; null when nothing is on a chain',
  })
  rede!: string | null;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [BlockchainContract], { description: 'Contracts, oldest first' })
  contratos!: readonly BlockchainContract[];

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [BlockchainActivity], { description: 'The last 100 events, newest first' })
  atividade!: readonly BlockchainActivity[];
}

@ObjectType({
  simpleResolvers: true,
  description: "Comparison of the issuer's unit price of a series with that of the trustee firm.",
})
export class TrusteeComparison {
  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'The trustee firm' })
  agente!: string;

  @Field(() => String, { description: 'Day of both prices, `DD/MM/YYYY`: the latest one that the firm published' })
  data!: string;

  @Field(() => String, { nullable: true, description: "The issuer's price: `R$ 1.034,12345678`" })
  puEmissora!: string | null;

  @Field(() => String, { description: 'Price of the trustee firm' })
  puAgente!: string;

  @Field(() => String, { nullable: true, description: 'Price of the issuer less that of the trustee firm' })
  diferenca!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Difference relative to the price of the trustee firm: `0,0001%`',
  })
  diferencaPercentual!: string | null;

  @Field(() => DateScalar, { description: 'Day of both prices, `YYYY-MM-DD`' })
  dataRaw!: string;

  @Field(() => DecimalScalar, { nullable: true, description: "The issuer's price in BRL, 8 decimals" })
  puEmissoraRaw!: string | null;

  @Field(() => DecimalScalar, { description: 'Price of the trustee firm in BRL, 8 decimals' })
  puAgenteRaw!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Difference in BRL, 8 decimals' })
  diferencaRaw!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Difference in percent, 6 decimals' })
  diferencaPercentualRaw!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The unit price of a day.' })
export class PricePoint {
  @Field(() => String, { description: 'Date, `DD/MM/YYYY`' })
  data!: string;

  @Field(() => String, { description: 'The price with 8 decimals: `R$ 1.034,12345678`' })
  valor!: string;

  @Field(() => DateScalar, { description: 'Date, `YYYY-MM-DD`' })
  dataRaw!: string;

  @Field(() => DecimalScalar, { description: 'The price in BRL, 8 decimals' })
  valorRaw!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      'True where it was made with a projected index number, since the number itself was not published; else null',
  })
  projected!: true | null;
}

@ObjectType({ simpleResolvers: true, description: 'Unit prices of a series.' })
export class SeriesPricing {
  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => PricePoint, { nullable: true, description: 'Current price; null while there is none' })
  atual!: PricePoint | null;

  @Field(() => PricePoint, {
    nullable: true,
    description: 'Price of the business day before the current price (D-1); null where that day has none',
  })
  d1!: PricePoint | null;

  @Field(() => PricePoint, {
    nullable: true,
    description: 'Price of the second business day before the current price (D-2); null where that day has none',
  })
  d2!: PricePoint | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Change from D-1 to the current price, without payments: `0,0512%`; a payment lowers the price (`pagamentoUnitario`). Null without D-1',
  })
  variacao!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Change from D-1 to the current price, without payments, in percent, 4 decimals',
  })
  variacaoRaw!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What was paid on a unit between D-1 and the current price, 8 decimals: `R$ 0,00000000` without a payment; null without D-1 and where the amount of a payment is not known',
  })
  pagamentoUnitario!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'What was paid on a unit in BRL, 8 decimals' })
  pagamentoUnitarioRaw!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Return from D-1 to the current price: (price + payments) ÷ D-1 − 1; `0,0512%`. Null where `pagamentoUnitario` is',
  })
  retorno!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'That return in percent, 4 decimals' })
  retornoRaw!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'What is due on a unit and unpaid, beside the current price, which is without it: `R$ 0,00000000` where nothing is; null where an amount is not known',
  })
  overdueValue!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'What is due on a unit and unpaid in BRL, 8 decimals' })
  overdueValueRaw!: string | null;

  @Field(() => [PricePoint], {
    description: 'History, oldest first: the last 756 prices (about three years of business days)',
  })
  historico!: readonly PricePoint[];
}

@ObjectType({ simpleResolvers: true, description: 'A bank account of an operation.' })
export class FinanceAccount {
  @Field(() => String, { description: 'Purpose of the account: Conta centralizadora, Fundo de reserva…' })
  finalidade!: string;

  @Field(() => String, { description: 'Bank' })
  banco!: string;

  @Field(() => String, { nullable: true, description: 'Branch' })
  agencia!: string | null;

  @Field(() => String, { nullable: true, description: 'Number' })
  conta!: string | null;

  @Field(() => String, { nullable: true, description: 'Balance: `R$ 1.234.567,89`' })
  saldo!: string | null;

  @Field(() => String, { nullable: true, description: 'Minimum balance that the deed requires' })
  saldoMinimo!: string | null;

  @Field(() => String, { nullable: true, description: 'Day of the balance, `DD/MM/YYYY`' })
  dataSaldo!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Balance in BRL, 2 decimals' })
  saldoRaw!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Minimum balance in BRL, 2 decimals' })
  saldoMinimoRaw!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the balance, `YYYY-MM-DD`' })
  dataSaldoRaw!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An investment that is permitted for the cash of an operation.' })
export class FinanceInvestment {
  @Field(() => String, { description: 'Kind of investment' })
  descricao!: string;

  @Field(() => String, { nullable: true, description: 'Institution' })
  instituicao!: string | null;

  @Field(() => String, { nullable: true, description: 'Maximum share of the available cash: `50,00%`' })
  limite!: string | null;

  @Field(() => String, { nullable: true, description: 'Invested amount: `R$ 1.234.567,89`' })
  valorAplicado!: string | null;

  @Field(() => String, { nullable: true, description: 'Day of the invested amount, `DD/MM/YYYY`' })
  dataPosicao!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Maximum share of the available cash in percent, 4 decimals',
  })
  limiteRaw!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Invested amount in BRL, 2 decimals' })
  valorAplicadoRaw!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Day of the invested amount, `YYYY-MM-DD`' })
  dataPosicaoRaw!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The bank accounts of an operation and its permitted investments.' })
export class OperationFinance {
  @Field(() => [FinanceAccount], { description: 'Accounts' })
  contas!: readonly FinanceAccount[];

  @Field(() => [FinanceInvestment], { description: 'Permitted investments' })
  aplicacoesPermitidas!: readonly FinanceInvestment[];
}
