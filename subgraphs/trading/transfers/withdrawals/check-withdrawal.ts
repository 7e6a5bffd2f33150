import { Decimal } from '../../../../shared/decimal.js';
import { errorAt } from '../../../../shared/rule-error.js';
import { isCnpj, isCpf } from '../../../../shared/tax-id.js';
import { refuse, type ErrorDetail } from '../../../../shared/errors.js';
import { hasMoreCharacters } from '../../../../shared/format/text-length.js';
import { canonicalAddress } from '../addresses/check-address.js';
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
}

const longestName = 200;

/**
 * Checks the form of a request, and returns it with its network.
 * @param decimals of the currency; undefined if the currency does not exist
 * @throws {ApiError} BAD_REQUEST with all errors
 */
export function requireForm(request: WithdrawalRequest, decimals: number | undefined): FormedRequest {
  const issues: ErrorDetail[] = [];
  const own = networksOf(request.asset);
  const via = request.network == null ? own[0] : own.find(({ name }) => name === request.network);
  if (decimals === undefined || own.length === 0) {
    issues.push(errorAt('asset', 'NOT_WITHDRAWABLE'));
  } else {
    const places = new Decimal(request.amount).decimalPlaces();
    if (places > decimals) issues.push(errorAt('amount', 'DECIMALS', { max: decimals }));
    const names = own.map(({ name }) => name).join(', ');
    if (via === undefined) issues.push(errorAt('network', 'ONE_OF', { known: names }));
  }
  const name = request.beneficiaryName;
  if (name != null && (name.trim() === '' || hasMoreCharacters(name, longestName))) {
    issues.push(errorAt('beneficiaryName', 'TEXT_LENGTH', { min: 1, max: longestName }));
  }
  if (new Decimal(request.amount).abs().greaterThanOrEqualTo('1e24')) {
    issues.push(errorAt('amount', 'TOO_LARGE'));
  }
  refuse('BAD_REQUEST', issues);
  if (via === undefined) throw new Error('A withdrawal without a network was not rejected');
  return { ...request, network: via.name, via };
}

/** Returns the errors in the content of a well-formed request: of amount, address and the travel rule. */
export function contentIssues(
  { via, ...request }: FormedRequest,
  valueBrl: Decimal | undefined,
  { travelRuleAbove }: Pick<TransferRules, 'travelRuleAbove'>,
): ErrorDetail[] {
  const issues: ErrorDetail[] = [];
  if (new Decimal(request.amount).lessThan(via.minimum)) {
    issues.push(errorAt('amount', 'AMOUNT_AT_LEAST', { min: via.minimum, currency: via.currency }));
  }
  if (canonicalAddress(via.addressKind, request.address) === undefined) {
    issues.push(errorAt('address', `ADDRESS_${via.addressKind}`));
  }
  const { beneficiaryTaxId: taxId } = request;
  if (taxId != null && !isCpf(taxId) && !isCnpj(taxId)) {
    issues.push(errorAt('beneficiaryTaxId', 'TAX_ID'));
  }
  const isChain = via.addressKind === 'EVM' || via.addressKind === 'BITCOIN';
  // An amount of unknown value may be above the bound.
  if (isChain && (valueBrl === undefined || valueBrl.greaterThan(travelRuleAbove)))
    issues.push(...missingOfTravelRule(request, travelRuleAbove));
  return issues;
}

/** Returns the missing fields of the travel rule: above the bound, or where no price is known, a withdrawal names its beneficiary, and who holds the keys there. */
function missingOfTravelRule(request: WithdrawalRequest, bound: Decimal): ErrorDetail[] {
  const fields = ['beneficiaryName', 'beneficiaryTaxId', 'selfCustody'] as const;
  return fields
    .filter((field) => request[field] == null)
    .map((path) => errorAt(path, 'TRAVEL_RULE', { above: bound.toFixed() }));
}
