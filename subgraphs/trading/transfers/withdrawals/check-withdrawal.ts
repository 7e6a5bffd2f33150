import { Decimal } from '../../../../shared/decimal.js';
import { isCnpj, isCpf } from '../../../../shared/tax-id.js';
import { refuse, type ErrorDetail } from '../../../../shared/errors.js';
import { hasMoreCharacters } from '../../../../shared/format/text-length.js';
import { addressRule, canonicalAddress } from '../addresses/check-address.js';
import { networksOf, type Network } from '../networks.js';
import type { TransferRules } from '../rules.js';

/** A withdrawal as a company asks for it. */
export interface WithdrawalRequest {
  /** The currency. */
  readonly asset: string;
  /** Decimal text: what is to arrive; the fee comes on top. */
  readonly amount: string;
  readonly address: string;
  /** The default of the currency where it is not given. */
  readonly network?: string | null | undefined;
  readonly beneficiaryName?: string | null | undefined;
  /** CPF or CNPJ without punctuation. */
  readonly beneficiaryTaxId?: string | null | undefined;
  /** Whether the beneficiary holds the keys of the address. */
  readonly selfCustody?: boolean | null | undefined;
}

/** A request whose form is right. */
export interface FormedRequest extends WithdrawalRequest {
  readonly network: string;
  readonly via: Network;
}

const longestName = 200;

/**
 * The network of a request whose form is right.
 * @param decimals of the currency; undefined where there is no such currency
 * @throws {ApiError} BAD_REQUEST with everything that is wrong
 */
export function requireForm(request: WithdrawalRequest, decimals: number | undefined): FormedRequest {
  const issues: ErrorDetail[] = [];
  const own = networksOf(request.asset);
  const via = request.network == null ? own[0] : own.find(({ name }) => name === request.network);
  if (decimals === undefined || own.length === 0) {
    issues.push({ path: 'asset', message: 'is no currency that can be withdrawn' });
  } else {
    const places = new Decimal(request.amount).decimalPlaces();
    if (places > decimals) issues.push({ path: 'amount', message: `must have at most ${decimals} decimals` });
    const names = own.map(({ name }) => name).join(', ');
    if (via === undefined) issues.push({ path: 'network', message: `must be one of ${names}` });
  }
  const name = request.beneficiaryName;
  if (name != null && (name.trim() === '' || hasMoreCharacters(name, longestName))) {
    issues.push({ path: 'beneficiaryName', message: `must have 1 to ${longestName} characters` });
  }
  if (new Decimal(request.amount).abs().greaterThanOrEqualTo('1e24')) {
    issues.push({ path: 'amount', message: 'is too large' });
  }
  refuse('BAD_REQUEST', issues);
  if (via === undefined) throw new Error('A withdrawal without a network was not refused');
  return { ...request, network: via.name, via };
}

/** What is wrong with the content of a request whose form is right: of amount, address and the travel rule. */
export function contentIssues(
  { via, ...request }: FormedRequest,
  valueBrl: Decimal | undefined,
  { travelRuleAbove }: Pick<TransferRules, 'travelRuleAbove'>,
): ErrorDetail[] {
  const issues: ErrorDetail[] = [];
  if (new Decimal(request.amount).lessThan(via.minimum)) {
    issues.push({ path: 'amount', message: `must be at least ${via.minimum} ${via.currency}` });
  }
  if (canonicalAddress(via.addressKind, request.address) === undefined) {
    issues.push({ path: 'address', message: addressRule(via.addressKind) });
  }
  const { beneficiaryTaxId: taxId } = request;
  if (taxId != null && !isCpf(taxId) && !isCnpj(taxId)) {
    issues.push({
      path: 'beneficiaryTaxId',
      message: 'must be a CPF or CNPJ with right check digits, without punctuation',
    });
  }
  const isChain = via.addressKind === 'EVM' || via.addressKind === 'BITCOIN';
  if (isChain && valueBrl?.greaterThan(travelRuleAbove) === true)
    issues.push(...missingOfTravelRule(request, travelRuleAbove));
  return issues;
}

/** Above the bound a withdrawal says who gets it, and who holds the keys there. */
function missingOfTravelRule(request: WithdrawalRequest, bound: Decimal): ErrorDetail[] {
  const fields = ['beneficiaryName', 'beneficiaryTaxId', 'selfCustody'] as const;
  return fields
    .filter((field) => request[field] == null)
    .map((path) => ({ path, message: `is required above ${bound.toFixed()} BRL (travel rule)` }));
}
