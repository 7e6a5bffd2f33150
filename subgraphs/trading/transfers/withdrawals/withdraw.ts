import type { Context } from '../../../../shared/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal } from '../../../../shared/decimal.js';
import { ApiError, refuse, type ErrorDetail } from '../../../../shared/errors.js';
import { newId } from '../../../../shared/ids.js';
import { byRule, errorAt } from '../../../../shared/rule-error.js';
import { formatAmount } from '../../format-amount.js';
import { openHold } from '../../ledger/holds.js';
import { haltsOf } from '../../ledger/halt.store.js';
import { listCurrencies } from '../../markets/currency.store.js';
import { requireActive, requireWallet, type WalletChoice } from '../../profiles/require-wallet.js';
import type { OwnWallet } from '../../profiles/wallet.store.js';
import { tellReaders } from '../../streams/tell-readers.js';
import { withinFunds } from '../../ledger/within-funds.js';
import { canonicalAddress } from '../addresses/check-address.js';
import { allowListIssues } from '../allow-list/allow-list.js';
import { findAllowedAddress, type AllowedAddressRow } from '../allow-list/allow-list.store.js';
import { custodyOf, type Custodies } from '../custody/custody.js';
import { hasQuarantine } from '../deposits/deposit.store.js';
import { approvers, type TransferRules, type ValueInBrl } from '../rules.js';
import { wakeTransfers } from '../wake.js';
import {
  contentIssues,
  requireForm,
  travelRuleIssues,
  type FormedRequest,
  type WithdrawalRequest,
} from './check-withdrawal.js';
import { lockCompany, lockDailyLimit, sumUnapproved, sumWithdrawn } from './limit.store.js';
import { heldAmount } from './withdrawal.js';
import { insertWithdrawal, type WithdrawalRow } from './withdrawal.store.js';

export interface WithdrawParts {
  readonly rules: TransferRules;
  readonly valueInBrl: ValueInBrl;
  readonly custodies: Custodies;
}

const dayMs = 24 * 3_600_000;
const dayAgo = ({ clock }: Context): Date => new Date(clock.now().getTime() - dayMs);

/**
 * Creates a withdrawal of a wallet of the calling company, and sets amount and fee aside. It is sent afterwards, once it has the required
 * approvals. What the caller sent and owns is judged before what depends on the house.
 * @throws {ApiError} BAD_REQUEST for input that does not have the documented form; NOT_FOUND for a profile that is not the company's; FORBIDDEN for a
 * suspended caller; CONFLICT while a deposit of the wallet is in quarantine; INSUFFICIENT_BALANCE; UNPROCESSABLE for a wrong address, an amount below the
 * minimum or above the daily limit, an address that is not on the company's list, and missing data of the travel rule; UNAVAILABLE while the currency is
 * halted, and where no custody is connected
 */
export async function withdraw(
  context: Context,
  parts: WithdrawParts,
  choice: WalletChoice,
  request: WithdrawalRequest,
): Promise<WithdrawalRow> {
  return inTransaction(context, async (tx) => {
    const wallet = await requireWallet(tx, choice);
    const currencies = await listCurrencies(tx);
    const formed = requireForm(
      request,
      currencies.find(({ code }) => code === request.asset),
    );
    requireActive(wallet);
    if (await hasQuarantine(tx, wallet.id)) throw new ApiError('CONFLICT', byRule('DEPOSIT_REVERSED'));
    const wrong = await contentIssues(tx, formed);
    await requireFunds(tx, wallet, formed, wrong);
    custodyOf(parts.custodies, wallet.synthetic);
    await requireOpen(tx, wallet, formed.asset);
    const valueBrl = await parts.valueInBrl(tx, {
      currency: formed.asset,
      amount: new Decimal(formed.amount),
      synthetic: wallet.synthetic,
    });
    const entry = await findEntry(tx, wallet, formed);
    refuse('UNPROCESSABLE', [
      ...wrong,
      ...(entry === undefined ? travelRuleIssues(formed, valueBrl, parts.rules) : []),
      ...(wrong.some(({ path }) => path === 'address') ? [] : await allowListIssues(tx, wallet.companyId, entry)),
      ...(await limitIssues(tx, wallet, formed)),
    ]);
    const codes = currencies.map(({ code }) => code);
    const mustApprove = await needsApproval(tx, wallet, { valueBrl, above: parts.rules.approvalAbove, codes });
    const row = newWithdrawal(tx, wallet, formed, { valueBrl, mustApprove, entry });
    await insertWithdrawal(tx, row);
    await openHold(tx, {
      id: row.id,
      walletId: wallet.id,
      currency: row.currency,
      amount: heldAmount(row),
      cause: 'withdrawal.requested',
      causeId: row.id,
      synthetic: wallet.synthetic,
    });
    await tellReaders(tx, wallet, { currencies: [row.currency] });
    wakeTransfers(tx);
    return row;
  });
}

/**
 * Checks that the wallet has amount and fee: the hold decides, but what the house and its rules say of a withdrawal is no business of who cannot pay it.
 * @param wrong errors in the request, which go first unless only the amount is too small
 * @throws {ApiError} INSUFFICIENT_BALANCE, or UNPROCESSABLE with the errors
 */
async function requireFunds(
  tx: Context,
  { id: walletId, synthetic }: OwnWallet,
  { via: { fee, currency }, amount }: FormedRequest,
  wrong: readonly ErrorDetail[],
): Promise<void> {
  const [isPayable] = await withinFunds(tx, [{ walletId, synthetic, currency, amount: heldAmount({ amount, fee }) }]);
  if (isPayable === true) return;
  refuse('UNPROCESSABLE', wrong.some(({ path }) => path !== 'amount') ? wrong : []);
  throw new ApiError('INSUFFICIENT_BALANCE');
}

/** Finds the address of a request on the company's list, mandatory or not: it says whose it is. */
async function findEntry(
  tx: Context,
  { companyId }: OwnWallet,
  { via, address: given }: FormedRequest,
): Promise<AllowedAddressRow | undefined> {
  const address = canonicalAddress(via.addressKind, given);
  return address === undefined ? undefined : findAllowedAddress(tx, { companyId, network: via.name, address });
}

async function requireOpen(tx: Context, { synthetic }: OwnWallet, currency: string): Promise<void> {
  const [halt] = await haltsOf(tx, [currency], synthetic);
  if (halt !== undefined)
    throw new ApiError('UNAVAILABLE', {
      ...byRule('WITHDRAWALS_HALTED', { currency }),
      retryAfterSeconds: 60,
    });
}

async function limitIssues(
  tx: Context,
  { companyId, synthetic }: OwnWallet,
  { asset: currency, amount, decimals }: FormedRequest,
): Promise<ErrorDetail[]> {
  const limit = await lockDailyLimit(tx, { companyId, currency });
  if (limit === undefined) return [];
  const withdrawn = await sumWithdrawn(tx, { companyId, currency }, { synthetic, since: dayAgo(tx) });
  const left = Decimal.max(0, new Decimal(limit).minus(withdrawn));
  if (left.greaterThanOrEqualTo(amount)) return [];
  return [errorAt('amount', 'DAILY_LIMIT', { left: formatAmount(left, decimals), currency })];
}

/** Whether operators must approve a withdrawal: by itself, or together with those of 24 hours that nobody approved, its company would get too much. */
async function needsApproval(
  tx: Context,
  { companyId, synthetic }: OwnWallet,
  { valueBrl, above, codes }: { valueBrl: Decimal | undefined; above: Decimal; codes: readonly string[] },
): Promise<boolean> {
  // Synthetic funds never leave.
  if (synthetic) return false;
  if (valueBrl === undefined || valueBrl.greaterThan(above)) return true;
  await lockCompany(tx, companyId);
  const unapproved = await sumUnapproved(tx, { companyId, currencies: codes, since: dayAgo(tx) });
  return valueBrl.plus(unapproved).greaterThan(above);
}

function newWithdrawal(
  { clock, principal }: Context,
  { id: walletId, companyId, synthetic }: OwnWallet,
  { via, decimals, ...request }: FormedRequest,
  {
    valueBrl,
    mustApprove,
    entry,
  }: {
    readonly valueBrl: Decimal | undefined;
    readonly mustApprove: boolean;
    readonly entry: AllowedAddressRow | undefined;
  },
): WithdrawalRow {
  const address = canonicalAddress(via.addressKind, request.address);
  if (address === undefined) throw new Error('An invalid address was not rejected');
  const now = clock.now();
  return {
    id: newId(now.getTime()),
    companyId,
    walletId,
    synthetic,
    currency: via.currency,
    network: via.name,
    address,
    amount: new Decimal(request.amount).toFixed(),
    fee: new Decimal(via.fee).toFixed(),
    decimals,
    valueBrl: valueBrl?.toFixed(2) ?? null,
    approvalsNeeded: mustApprove ? approvers : 0,
    requestedWith: principal.id,
    state: mustApprove ? 'AWAITING_APPROVAL' : 'READY',
    beneficiaryName: request.beneficiaryName ?? entry?.ownerName ?? null,
    beneficiaryTaxId: request.beneficiaryTaxId ?? entry?.ownerTaxId ?? null,
    selfCustody: request.selfCustody ?? entry?.selfCustody ?? null,
    transaction: null,
    failure: null,
    attempts: 0,
    dueAt: mustApprove ? null : now,
    createdAt: now,
    sentAt: null,
    completedAt: null,
  };
}
