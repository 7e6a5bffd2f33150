import { Field, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';

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
}

@ObjectType({ simpleResolvers: true, description: 'Unit prices of a series.' })
export class SeriesPricing {
  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => PricePoint, { nullable: true, description: 'Current price; null while there is none' })
  atual!: PricePoint | null;

  @Field(() => PricePoint, { nullable: true, description: 'The last price before the current one (D-1)' })
  d1!: PricePoint | null;

  @Field(() => PricePoint, { nullable: true, description: 'The last price before D-1 (D-2)' })
  d2!: PricePoint | null;

  @Field(() => String, { nullable: true, description: 'Change from D-1 to the current price: `0,0512%`' })
  variacao!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Change from D-1 to the current price in percent, 4 decimals',
  })
  variacaoRaw!: string | null;

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
