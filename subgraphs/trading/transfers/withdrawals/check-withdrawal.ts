import type { Context } from '../../../../shared/context.js';
import { Decimal } from '../../../../shared/decimal.js';
import { errorAt } from '../../../../shared/rule-error.js';
import { isCnpj, isCpf } from '../../../../shared/tax-id.js';
import { refuse, type ErrorDetail } from '../../../../shared/errors.js';
import { isName } from '../../../../shared/identifying-text.js';
import { unless } from '../../../../shared/unless.js';
import { destinationIssues } from '../addresses/check-destination.js';
import { networksOf, type Network } from '../networks.js';
import type { TransferRules } from '../rules.js';

/** A withdrawal as a company requests it. */
export interface WithdrawalRequest {
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
  /** Whether the beneficiary holds the keys of the address. */
  readonly selfCustody?: boolean | null | undefined;
}

/** A request that has the documented form. */
export interface FormedRequest extends WithdrawalRequest {
  readonly network: string;
  readonly via: Network;
  /** Decimals of the currency. */
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

/** Returns the errors in the content of a well-formed request: of amount, address and tax id. */
export async function contentIssues(context: Context, { via, ...request }: FormedRequest): Promise<ErrorDetail[]> {
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
