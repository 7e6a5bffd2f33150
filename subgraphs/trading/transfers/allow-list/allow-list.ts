import { recordAudit } from '../../../../shared/security/audit/record.js';
import type { Context } from '../../../../shared/kernel/context.js';
import { inTransaction } from '../../../../shared/database/transaction.js';
import { ApiError, refuse, type ErrorDetail, unless, byRule, errorAt } from '../../../../shared/kernel/errors.js';
import { identifyingText, isName } from '../../../../shared/kernel/identifying-text.js';
import { isUuid, newId } from '../../../../shared/kernel/ids.js';
import { isCnpj, isCpf } from '../../../../shared/kernel/tax-id.js';
import { lockCompany } from '../../access/access.store.js';
import { canonicalAddress, maskAddress } from '../addresses/check-address.js';
import { destinationIssues } from '../addresses/check-destination.js';
import { networks } from '../networks.js';
import {
  countAllowedAddresses,
  deleteAllowedAddress,
  findAllowedAddress,
  hasAllowList,
  insertAllowedAddress,
  maxAllowedAddresses,
  type AllowedAddressRow,
  saveAllowList,
} from './allow-list.store.js';

/** Returns the errors that prevent a withdrawal to an address, if the company may withdraw only to addresses on its list. @param entry the address on the list */
export async function allowListIssues(
  context: Context,
  companyId: string,
  entry: AllowedAddressRow | undefined,
): Promise<ErrorDetail[]> {
  if (!(await hasAllowList(context, companyId))) return [];
  if (entry === undefined) return [errorAt('address', 'ADDRESS_NOT_LISTED')];
  const isUsable = entry.usableAt <= context.clock.now();
  return unless(isUsable, errorAt('address', 'ADDRESS_TOO_NEW', { from: entry.usableAt.toISOString() }));
}

const maxLabelLength = 100;
const maxNameLength = 200;

const kindOf = (network: string) => networks.find(({ name }) => name === network)?.addressKind;

export interface NewAllowedAddress {
  readonly network: string;
  readonly address: string;
  readonly label: string;
  /** The company itself when omitted. */
  readonly ownerName?: string | null | undefined;
  /** CPF or CNPJ without punctuation. */
  readonly ownerTaxId?: string | null | undefined;
  readonly selfCustody?: boolean | null | undefined;
}

/** The address is usable once the cooling period is over; a repetition changes nothing. @throws {ApiError} BAD_REQUEST; UNPROCESSABLE for a wrong address or tax id; CONFLICT for a full list */
export async function addAllowedAddress(
  context: Context,
  coolingMs: number,
  given: NewAllowedAddress,
): Promise<AllowedAddressRow> {
  const kind = kindOf(given.network);
  refuse('BAD_REQUEST', [
    ...unless(kind !== undefined, errorAt('network', 'NOT_A_NETWORK')),
    ...unless(
      isName(given.label, maxLabelLength),
      errorAt('label', 'PRINTABLE_LENGTH', { min: 1, max: maxLabelLength }),
    ),
    ...unless(
      given.ownerName == null || isName(given.ownerName, maxNameLength),
      errorAt('ownerName', 'PRINTABLE_LENGTH', { min: 1, max: maxNameLength }),
    ),
  ]);
  if (kind === undefined) throw new Error('An unknown network was not rejected');
  const { ownerTaxId: taxId } = given;
  refuse('UNPROCESSABLE', [
    ...(await destinationIssues(context, kind, given.address)),
    ...unless(taxId == null || isCpf(taxId) || isCnpj(taxId), errorAt('ownerTaxId', 'TAX_ID')),
  ]);
  const address = canonicalAddress(kind, given.address) ?? given.address;
  return inTransaction(context, (tx) => add(tx, coolingMs, { ...given, address }));
}

async function add(
  tx: Context,
  coolingMs: number,
  { network, address, label, ownerName, ownerTaxId = null, selfCustody = null }: NewAllowedAddress,
): Promise<AllowedAddressRow> {
  // The lock makes concurrent calls count each other's addresses, and adds the same address only once.
  const { id: companyId, name } = await lockCompany(tx, tx.principal.ownerId);
  const now = tx.clock.now();
  const usableAt = new Date(now.getTime() + coolingMs);
  const owner = { ownerName: identifyingText(ownerName ?? name), ownerTaxId, selfCustody };
  const row = {
    id: newId(now.getTime()),
    companyId,
    network,
    address,
    label: identifyingText(label),
    ...owner,
    createdAt: now,
    usableAt,
  };
  const known = await findAllowedAddress(tx, row);
  if (known !== undefined) return known;
  if ((await countAllowedAddresses(tx, companyId)) >= maxAllowedAddresses)
    throw new ApiError('CONFLICT', byRule('ADDRESSES_FULL', { max: maxAllowedAddresses }));
  await insertAllowedAddress(tx, row);
  await recordAudit(tx, { action: 'addWithdrawalAddress', subject: subjectOf(row), after: noteOf(row) });
  return row;
}

function subjectOf({ id }: AllowedAddressRow) {
  return { type: 'withdrawalAddress', id };
}

/** The audit log cannot be erased: it has neither the label nor the whole address of a person, which is a tax id, an e-mail, a phone number or a bank account. */
function noteOf({ companyId, network, address, usableAt }: AllowedAddressRow) {
  return { companyId, network, address: maskAddress(kindOf(network), address), usableAt };
}

/** Removes an address from the list of the calling company. @throws {ApiError} NOT_FOUND */
export async function removeAllowedAddress(context: Context, id: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const row = isUuid(id) ? await deleteAllowedAddress(tx, tx.principal.ownerId, id) : undefined;
    if (row === undefined) throw new ApiError('NOT_FOUND', { message: 'The list does not contain the address' });
    await recordAudit(tx, { action: 'removeWithdrawalAddress', subject: subjectOf(row), before: noteOf(row) });
  });
}

/** Restricts withdrawals; `required` false lifts the restriction. @throws {ApiError} NOT_FOUND */
export async function requireAllowList(context: Context, companyId: string, required: boolean): Promise<void> {
  await inTransaction(context, async (tx) => {
    const { id } = await lockCompany(tx, companyId);
    const before = await hasAllowList(tx, id);
    await saveAllowList(tx, id, required);
    await recordAudit(tx, {
      action: 'requireWithdrawalList',
      subject: { type: 'tradingCompany', id },
      before: { required: before },
      after: { required },
    });
  });
}
