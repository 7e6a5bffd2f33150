import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { Decimal } from '../../../../shared/kernel/decimal.js';
import { ApiError, refuse, type ErrorDetail, unless, byRule, errorAt } from '../../../../shared/kernel/errors.js';
import { newId } from '../../../../shared/kernel/ids.js';
import { formatAmount } from '../../format-amount.js';
import { openHold, withinFunds } from '../../ledger/post-journals.js';
import { haltsOf } from '../../ledger/ledger.store.js';
import { listCurrencies } from '../../markets/market.store.js';
import { requireActive, requireWallet, type WalletChoice } from '../../profiles/require-wallet.js';
import type { OwnWallet } from '../../profiles/profile.store.js';
import { tellReaders } from '../../streams/tell-readers.js';
import { canonicalAddress } from '../addresses/check-address.js';
import { allowListIssues } from '../allow-list/allow-list.js';
import { findAllowedAddress, type AllowedAddressRow } from '../allow-list/allow-list.store.js';
import { custodyOf, type Custodies } from '../custody/custody.js';
import { hasQuarantine } from '../deposits/deposit.store.js';
import { approvers, type TransferRules, type ValueInBrl, networksOf, type Network } from '../networks.js';
import { wakeTransfers } from '../wake.js';
import {
  limitsOf,
  lockCompany,
  lockDailyLimit,
  sumUnapproved,
  sumWithdrawn,
  insertWithdrawal,
  type WithdrawalRow,
} from './withdrawal.store.js';
import { heldAmount } from './withdrawal.js';
import type { WithdrawalTerms } from './withdrawal.type.js';
import type { Shape } from '../../../../shared/graphql/shape.js';
import { isCnpj, isCpf } from '../../../../shared/kernel/tax-id.js';
import { isName } from '../../../../shared/kernel/identifying-text.js';
import { destinationIssues } from '../addresses/check-destination.js';

interface WithdrawalRequest {
  /** The currency. */
  readonly asset: string;
  /** Decimal text: the amount that the recipient receives; the fee is added to it. */
  readonly amount: string;
  readonly address: string;
  /** The currency's default network when omitted. */
  readonly network?: string | null | undefined;
  readonly beneficiaryName?: string | null | undefined;
  /** CPF or CNPJ without punctuation. */
  readonly beneficiaryTaxId?: string | null | undefined;
  readonly selfCustody?: boolean | null | undefined;
}

interface FormedRequest extends WithdrawalRequest {
  readonly network: string;
  readonly via: Network;
  readonly decimals: number;
}

const longestName = 200;

/**
 * Checks the form of a request, and returns it with its network.
 * @param currency undefined if it does not exist
 * @throws {ApiError} BAD_REQUEST with all errors
 */
export function requireForm(
  request: WithdrawalRequest,
  currency: { readonly decimals: number } | undefined,
): FormedRequest {
  const issues: ErrorDetail[] = [];
  const own = networksOf(request.asset);
  const via = request.network == null ? own[0] : own.find(({ name }) => name === request.network);
  if (currency === undefined || own.length === 0) {
    issues.push(errorAt('asset', 'NOT_WITHDRAWABLE'));
  } else {
    const places = new Decimal(request.amount).decimalPlaces();
    const { decimals: max } = currency;
    if (places > max) issues.push(errorAt('amount', 'DECIMALS', { max }));
    const names = own.map(({ name }) => name).join(', ');
    if (via === undefined) issues.push(errorAt('network', 'ONE_OF', { known: names }));
  }
  const name = request.beneficiaryName;
  if (name != null && !isName(name, longestName)) {
    issues.push(errorAt('beneficiaryName', 'PRINTABLE_LENGTH', { min: 1, max: longestName }));
  }
  if (new Decimal(request.amount).abs().greaterThanOrEqualTo('1e24')) {
    issues.push(errorAt('amount', 'TOO_LARGE'));
  }
  refuse('BAD_REQUEST', issues);
  if (via === undefined || currency === undefined) throw new Error('A withdrawal without a network was not rejected');
  return { ...request, network: via.name, via, decimals: currency.decimals };
}

async function contentIssues(context: Context, { via, ...request }: FormedRequest): Promise<ErrorDetail[]> {
  const { amount, address, beneficiaryTaxId: taxId } = request;
  return [
    ...unless(
      new Decimal(amount).greaterThanOrEqualTo(via.minimum),
      errorAt('amount', 'AMOUNT_AT_LEAST', { min: via.minimum, currency: via.currency }),
    ),
    ...(await destinationIssues(context, via.addressKind, address)),
    ...unless(taxId == null || isCpf(taxId) || isCnpj(taxId), errorAt('beneficiaryTaxId', 'TAX_ID')),
  ];
}

/** Returns the missing fields of the travel rule: above its bound, or where no price is known, a withdrawal to a chain names its beneficiary, and who holds the keys there. */
export function travelRuleIssues(
  { via, ...request }: FormedRequest,
  valueBrl: Decimal | undefined,
  { travelRuleAbove: bound }: Pick<TransferRules, 'travelRuleAbove'>,
): ErrorDetail[] {
  const isChain = via.addressKind === 'EVM' || via.addressKind === 'BITCOIN';
  // An amount of unknown value may be above the bound.
  if (bound === undefined || !isChain || valueBrl?.lessThanOrEqualTo(bound) === true) return [];
  const fields = ['beneficiaryName', 'beneficiaryTaxId', 'selfCustody'] as const;
  return fields
    .filter((field) => request[field] == null)
    .map((path) => errorAt(path, 'TRAVEL_RULE', { above: bound.toFixed() }));
}

export interface WithdrawParts {
  readonly rules: TransferRules;
  readonly valueInBrl: ValueInBrl;
  readonly custodies: Custodies;
}

const dayMs = 24 * 3_600_000;
const dayAgo = ({ clock }: Context): Date => new Date(clock.now().getTime() - dayMs);

/**
 * Creates a withdrawal of a wallet of the calling company, and sets amount and fee aside. It is sent afterwards, once it has the required approvals. The
 * caller's input and funds are judged before the state of the house.
 * @throws {ApiError} BAD_REQUEST for input that does not have the documented form; NOT_FOUND for a profile that is not the company's; FORBIDDEN for a
 * suspended caller; CONFLICT while a deposit of the wallet is in quarantine; INSUFFICIENT_BALANCE; UNPROCESSABLE for a wrong address, an amount below the
 * minimum or above the daily limit, an address that is not on the company's list, and missing data of the travel rule; UNAVAILABLE while the currency is
 * halted, and if no custody is connected
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

/**
 * Returns the present terms for withdrawals from a wallet: nothing is locked, so another withdrawal may use the rest first.
 * @throws {ApiError} BAD_REQUEST for a currency that cannot be withdrawn
 */
export async function withdrawalTerms(
  context: Context,
  { approvalAbove }: TransferRules,
  { companyId, synthetic }: OwnWallet,
  currency: string,
): Promise<Shape<WithdrawalTerms>> {
  const currencies = await listCurrencies(context);
  const decimals = currencies.find(({ code }) => code === currency)?.decimals;
  const networks = networksOf(currency);
  if (decimals === undefined || networks.length === 0)
    throw new ApiError('BAD_REQUEST', { details: [errorAt('currency', 'NOT_WITHDRAWABLE')] });
  const [limits] = await limitsOf(context, [companyId]);
  const limit = limits?.find((one) => one.currency === currency)?.daily ?? null;
  const since = dayAgo(context);
  const codes = currencies.map(({ code }) => code);
  return {
    networks: networks.map(({ name: network, fee, minimum, confirmations }) => ({
      network,
      fee: formatAmount(fee, decimals),
      minimum: formatAmount(minimum, decimals),
      confirmations,
    })),
    limit,
    limitLeft:
      limit === null
        ? null
        : formatAmount(
            leftOf(limit, await sumWithdrawn(context, { companyId, currency }, { synthetic, since })),
            decimals,
          ),
    unapprovedLeftBrl: synthetic
      ? null
      : leftOf(approvalAbove, await sumUnapproved(context, { companyId, currencies: codes, since })).toFixed(2),
  };
}

const leftOf = (limit: string | Decimal, used: string) => Decimal.max(0, new Decimal(limit).minus(used));

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
  const left = leftOf(limit, withdrawn);
  if (left.greaterThanOrEqualTo(amount)) return [];
  return [errorAt('amount', 'DAILY_LIMIT', { left: formatAmount(left, decimals), currency })];
}

/** Whether operators must approve a withdrawal: it exceeds the threshold by itself, or together with the company's unapproved withdrawals of 24 hours. */
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
