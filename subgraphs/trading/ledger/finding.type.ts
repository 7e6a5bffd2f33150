import { ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { decimal, fields, flag, id, list, nullable, of, text, time } from '../../../shared/graphql/fields.js';

@ObjectType({
  simpleResolvers: true,
  description:
    'A finding of the reconciliation: a violated invariant of the ledger, a balance at a venue or in custody that differs from the ledger, or a deposit that cannot be applied.',
})
export class ReconciliationFinding extends fields({
  id: id('Id (UUID)'),
  invariant: of(() => InvariantEnum, 'The invariant that does not hold'),
  currency: nullable.text(
    'Code of the currency, which is halted unless it is a `VENUE_BALANCE` or a `CUSTODY_BALANCE`; null for the whole ledger, and for a `DEPOSIT_SET_ASIDE`',
  ),
  synthetic: nullable.flag('Whether it is synthetic; null for real and synthetic together'),
  subject: text(
    'The account, wallet, month, venue or deposit (network, transaction and output) concerned; empty for the whole ledger',
  ),
  expected: text('Expected value'),
  actual: text('Actual value'),
  foundAt: time('Time at which it was found'),
  lastSeenAt: time('Time at which it was last found'),
  resolvedAt: nullable.time('Time at which an operator resolved it; null while it is open'),
  resolution: nullable.text('Explanation by the operator'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'A currency in which trading is halted.' })
export class CurrencyHalt extends fields({
  currency: text('Code of the currency'),
  synthetic: flag('Whether it is synthetic'),
  reason: text('Why'),
  haltedAt: time('Time since which it is halted'),
}) {}

const inIts = 'in its currency and with its decimals';

// GET /v1/wallet/fetchBalance (docs/contract/trading.md §2.3).
@ObjectType({ simpleResolvers: true, description: 'Balance of a wallet in one currency.' })
export class Balance extends fields({
  currency: text('Code of the currency: `BRL`, `BTC`'),
  available: decimal(`Amount that can be used, ${inIts}`),
  locked: decimal(`Amount that is held for open orders and withdrawals, ${inIts}`),
  total: decimal(`Sum of available and locked, ${inIts}`),
}) {}

@ObjectType({ simpleResolvers: true, description: 'Balances of a wallet as the REST API returns them.' })
export class WalletBalances extends fields({
  wallets: list(() => Balance, 'One balance for every currency, sorted by code; zero for currencies without funds', {
    assumedSize: 20,
  }),
}) {}

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
