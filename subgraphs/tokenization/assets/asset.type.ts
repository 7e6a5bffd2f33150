import { Directive, ObjectType, InputType } from 'type-graphql';
import type { Shape } from '../../../shared/graphql/shape.js';
import { PaymentStatusEnum } from '../../securities/payments.js';
import type { AssetStatus } from './asset.js';
import { AssetTypeEnum } from '../../securities/asset-type.js';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { searchDescription } from './asset-query.js';
import { day, decimal, fields, id, inputs, int, nullable, of, text, time } from '../../../shared/graphql/fields.js';

const debtorNameDescription =
  'Name of the debtor. The name of a legal person (CNPJ) is complete; of a natural person (CPF, or an individual entrepreneur whose registered name has the CPF or begins with the root of the CNPJ) only the initials are given, `L. D. O.`. Operators get all names complete, and so does an originator, with a signed request, for the credits that it assigned. As of an earlier moment a name is complete only if the debtor was recorded as a legal person then and is now';

const externalIdDescription =
  "Identifier in the originator's system, unique within the estate. The tax id of the debtor, and any other CPF, within it shows only its last digits, `CT-***.***.*47-25-001`, except to those who get the names of natural persons complete";

// Its resolver adds the estate and the payments.
@ObjectType({ simpleResolvers: true, description: 'A credit right that backs the series of an estate.' })
@Directive('@key(fields: "id")')
export class Asset extends fields({
  id: id('Id (UUID)'),
  patrimonyId: id('Id of its estate'),
  externalId: text(externalIdDescription),
  type: of(() => AssetTypeEnum, 'Type of the asset'),
  status: of(
    () => AssetStatusEnum,
    'ACTIVE: not more than 90 days late. SETTLED: all instalments are paid. DEFAULTED: more than 90 days late. WRITTEN_OFF: written off',
  ),
  debtorName: text(debtorNameDescription),
  debtorDocument: text('CPF as `***.***.*12-34`, CNPJ as `**.***.***/**12-34`, with only the last four digits'),
  originalValue: decimal('Original value in BRL, 2 decimals'),
  purchasePrice: nullable.decimal(
    'Price that the estate paid for it, in BRL, 2 decimals; null without one. Only operators see it, and the originator that assigned it, with a signed request',
  ),
  currentBalance: decimal('Outstanding balance in BRL, 2 decimals'),
  received: decimal('Amount received so far, with `surplus`, in BRL, 2 decimals'),
  surplus: decimal('Late interest and fines received, by which the balance did not fall, in BRL, 2 decimals'),
  abated: decimal('Amount abated, which is neither owed any more nor received, in BRL, 2 decimals'),
  interestRate: decimal('Interest rate in percent per year, 2 to 8 decimals'),
  installments: int('Instalments'),
  paidInstallments: int('Number of paid instalments'),
  nextDueDate: nullable.day('Due date of the next instalment; null when there is none'),
  finalDueDate: day('Due date of the last instalment'),
  batchId: nullable.id('Id of the batch that contained it; null without a batch'),
  batchName: nullable.text('Name of that batch, with tax ids as in `externalId`'),
  createdAt: time('Time of registration'),
}) {}

@ObjectType({ simpleResolvers: true, description: 'An instalment of an asset, paid or open.' })
export class AssetPayment extends fields({
  installmentNumber: int('Number, from 1'),
  dueDate: day('Due date'),
  amount: decimal('Amount due, 2 decimals'),
  paidAmount: decimal('Amount of it that was paid, 2 decimals'),
  abatedAmount: decimal('Amount of it that was abated, neither owed any more nor received, 2 decimals'),
  paidOn: nullable.day('Day on which it was paid in full; null until then'),
  status: of(() => PaymentStatusEnum, 'PENDING: not yet due. PAID: paid in full. OVERDUE: due and not paid in full'),
}) {}

export type AssetShape = Shape<Asset>;

export const AssetConnection = connectionType(Asset, { name: 'Asset', nodes: 'assets', documented: 'number' });

@InputType({ description: 'Filter of a list of assets. A field that is omitted does not restrict the list.' })
export class AssetFilter extends inputs({
  patrimonyId: nullable.id('Only assets of the estate with this id'),
  status: nullable.of(() => AssetStatusEnum, 'Only assets with this status'),
  type: nullable.of(() => AssetTypeEnum, 'Only assets of this type'),
  search: nullable.text(searchDescription, { maxLength: 100 }),
}) {}

export const AssetStatusEnum = describeEnum<AssetStatus>(
  'AssetStatus',
  'Status of an asset.',
  {
    ACTIVE: 'Not more than 90 days late',
    SETTLED: 'All instalments are paid',
    DEFAULTED: 'More than 90 days late',
    WRITTEN_OFF: 'Written off as unrecoverable',
  },
  {
    ACTIVE: ['Ativo', 'Active'],
    SETTLED: ['Liquidado', 'Settled'],
    DEFAULTED: ['Inadimplente', 'Defaulted'],
    WRITTEN_OFF: ['Baixado', 'Written off'],
  },
);
