import { Field, ID, ObjectType, Directive } from 'type-graphql';
import { DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A finding of the reconciliation: a violated invariant of the ledger, a balance at a venue or in custody that differs from the ledger, or a deposit that cannot be applied.',
})
export class ReconciliationFinding {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => InvariantEnum, { description: 'The invariant that does not hold' })
  invariant!: Invariant;

  @Field(() => String, {
    nullable: true,
    description:
      'Code of the currency, which is halted unless it is a `VENUE_BALANCE` or a `CUSTODY_BALANCE`; null for the whole ledger, and for a `DEPOSIT_SET_ASIDE`',
  })
  currency!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether it is synthetic; null for real and synthetic together',
  })
  synthetic!: boolean | null;

  @Field(() => String, {
    description:
      'The account, wallet, month, venue or deposit (network, transaction and output) concerned; empty for the whole ledger',
  })
  subject!: string;

  @Field(() => String, { description: 'Expected value' })
  expected!: string;

  @Field(() => String, { description: 'Actual value' })
  actual!: string;

  @Field(() => DateTimeScalar, { description: 'Time at which it was found' })
  foundAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Time at which it was last found' })
  lastSeenAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which an operator resolved it; null while it is open',
  })
  resolvedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Explanation by the operator' })
  resolution!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A currency in which trading is halted.' })
export class CurrencyHalt {
  @Field(() => String, { description: 'Code of the currency' })
  currency!: string;

  @Field(() => Boolean, { description: 'Whether it is synthetic' })
  synthetic!: boolean;

  @Field(() => String, { description: 'Why' })
  reason!: string;

  @Field(() => DateTimeScalar, { description: 'Time since which it is halted' })
  haltedAt!: Date;
}

const text = 'in its currency and with its decimals';

// GET /v1/wallet/fetchBalance (docs/contract/trading.md §2.3).
@ObjectType({ simpleResolvers: true, description: 'Balance of a wallet in one currency.' })
export class Balance {
  @Field(() => String, { description: 'Code of the currency: `BRL`, `BTC`' })
  currency!: string;

  @Field(() => DecimalScalar, { description: `Amount that can be used, ${text}` })
  available!: string;

  @Field(() => DecimalScalar, { description: `Amount that is held for open orders and withdrawals, ${text}` })
  locked!: string;

  @Field(() => DecimalScalar, { description: `Sum of available and locked, ${text}` })
  total!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Balances of a wallet as the REST API returns them.',
})
export class WalletBalances {
  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [Balance], {
    description: 'One balance for every currency, sorted by code; zero for currencies without funds',
  })
  wallets!: readonly Balance[];
}

const descriptions = {
  ZERO_SUM: 'All accounts of a currency add up to zero',
  LIABILITIES_COVERED: 'What clients own is covered by what is held for them',
  CLIENT_NOT_NEGATIVE: 'No account of a client is negative',
  LOCKED_IS_HELD: 'The locked funds of a wallet are those of its holds',
  BALANCE_IS_LAST_ENTRY: 'The balance of an account is that of its last entry',
  BALANCE_IS_SUM_OF_ENTRIES: 'The balance of an account is the sum of its entries, which have no gaps',
  ENTRIES_ZERO_SUM: 'The entries of a currency since the last proved month add up to zero',
  ENTRIES_HAVE_A_MONTH: 'Each entry belongs to a month that exists',
  MONTH_ADDS_UP: 'The entries of a closed month add up',
  PROVED_MONTH_STANDS: 'The entries of a proved month are those that were proved',
  VENUE_BALANCE: 'The balance at a venue is that of the ledger',
  CUSTODY_BALANCE: 'The balance in custody is that of the ledger, apart from transfers that are under way',
  DEPOSIT_SET_ASIDE: 'A deposit can be applied',
} as const;

/** What the reconciliation checks. */
export type Invariant = keyof typeof descriptions;

const InvariantEnum = describeEnum<Invariant>(
  'LedgerInvariant',
  'A rule that the reconciliation of the ledger checks.',
  descriptions,
  {
    ZERO_SUM: ['Soma zero', 'Zero sum'],
    LIABILITIES_COVERED: ['Obrigações cobertas', 'Liabilities covered'],
    CLIENT_NOT_NEGATIVE: ['Cliente sem saldo negativo', 'Client not negative'],
    LOCKED_IS_HELD: ['Bloqueado igual a reservado', 'Locked equals held'],
    BALANCE_IS_LAST_ENTRY: ['Saldo igual ao do último lançamento', 'Balance equals last entry'],
    BALANCE_IS_SUM_OF_ENTRIES: ['Saldo igual à soma dos lançamentos', 'Balance equals sum of entries'],
    ENTRIES_ZERO_SUM: ['Lançamentos com soma zero', 'Entries add up to zero'],
    ENTRIES_HAVE_A_MONTH: ['Lançamentos com mês', 'Entries have a month'],
    MONTH_ADDS_UP: ['Mês fecha', 'Month adds up'],
    PROVED_MONTH_STANDS: ['Mês comprovado inalterado', 'Proved month stands'],
    VENUE_BALANCE: ['Saldo na corretora', 'Balance at a venue'],
    CUSTODY_BALANCE: ['Saldo em custódia', 'Balance in custody'],
    DEPOSIT_SET_ASIDE: ['Depósito separado', 'Deposit set aside'],
  },
);
