import { Directive, ObjectType, ArgsType, InputType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import type { OperationType } from './operation.js';
import type { OperationRow } from './operation.store.js';
import { connectionType, ofPage } from '../../../shared/graphql/connection-type.js';
import { issueFilter, IssueStatusEnum, issueStatusOf } from './issue-filter.js';
import { SortDirectionEnum } from '../../../shared/graphql/sorted-list.js';
import type { SortField } from './operation-list.js';
import { args, fields, flag, id, inputs, nullable, of, text, texts, time } from '../../../shared/graphql/fields.js';

@ObjectType({ simpleResolvers: true, description: 'Purpose and offering of an operation.' })
export class OperationPurpose extends fields({
  description: text('Description'),
  segment: nullable.text('Segment of the economy'),
  useOfProceeds: nullable.text('Use of proceeds'),
  offering: nullable.text('Rule and procedure under which it was offered'),
  highlights: texts('Highlights'),
}) {}

// The resolvers of series, payments, report and so on add what belongs to an operation.
@ObjectType({ simpleResolvers: true, description: 'A public securitization operation, in raw values.' })
@Directive('@key(fields: "id")')
@Directive('@key(fields: "ticker")')
export class Operation extends fields({
  id: id('Id (UUID)'),
  ticker: text('Ticker, unique without regard to case'),
  slug: text('Slug of the estate, the other name of the operation'),
  type: of(() => OperationTypeEnum, 'Type of its securities'),
  status: of(() => IssueStatusEnum, 'Status; `statusLabel` is the published label', { publishedLabel: 'statusText' }),
  name: text('Name'),
  subtitle: text('Subtitle; may be empty'),
  href: text('Path of its page on the website'),
  chips: texts('Short labels'),
  emissionNumber: nullable.text('Issuance number'),
  emissionDate: nullable.day('Issue date'),
  maturityDate: nullable.day(
    'Maturity date: the latest of its series where none is given for the operation; null without series',
  ),
  issuer: nullable.text('Issuer'),
  issuerCnpj: nullable.text('CNPJ of the issuer, 14 characters without punctuation'),
  trustee: nullable.text('Trustee'),
  leadCoordinator: nullable.text('Lead coordinator'),
  bookkeeper: nullable.text('Bookkeeper'),
  auditor: nullable.text('Auditor'),
  backingAsset: nullable.text('Backing asset (lastro)'),
  rating: nullable.text('Rating'),
  purpose: nullable.of(() => OperationPurpose, 'Purpose of the operation'),
  updatedAt: time('Time of the last change of its own data'),
}) {}

/** An operation as resolvers pass it on: the visible fields, and the label of its status as it is published. */
export type OperationShape = Shape<Operation> & { readonly statusText: string };

export function toOperation(row: OperationRow): OperationShape {
  const { status: statusText, sub: subtitle } = row;
  return { ...row, status: issueStatusOf(statusText), statusText, subtitle, purpose: toPurpose(row) };
}

function toPurpose(row: OperationRow): Shape<OperationPurpose> | null {
  if (row.summaryDescription === null) return null;
  return {
    description: row.summaryDescription,
    segment: row.summarySegment,
    useOfProceeds: row.summaryUseOfProceeds,
    offering: row.summaryOffering,
    highlights: row.summaryHighlights,
  };
}

export const OperationTypeEnum = describeEnum<OperationType>(
  'OperationType',
  'Type of the securities that an operation issues.',
  {
    CR: 'Receivables certificates (certificados de recebíveis)',
    CRI: 'Real-estate receivables certificates',
    CRA: 'Agribusiness receivables certificates',
    DEB: 'Debentures',
  },
  {
    CR: ['Certificados de recebíveis', 'Receivables certificates'],
    CRI: ['Certificados de recebíveis imobiliários', 'Real-estate receivables certificates'],
    CRA: ['Certificados de recebíveis do agronegócio', 'Agribusiness receivables certificates'],
    DEB: ['Debêntures', 'Debentures'],
  },
);

export const OperationConnection = connectionType(Operation, { name: 'Operation', nodes: 'operations' });

export const SortFieldEnum = describeEnum<SortField>('OperationSortField', 'Field by which operations are sorted.', {
  TICKER: 'Ticker',
  NAME: 'Name, by its letters; accents and case are compared only for otherwise equal names',
  TYPE: 'Type of its securities',
  STATUS: 'Status, by its letters',
  ISSUER: 'Issuer, by its letters; operations without one come last',
  RATING: 'Rating, by its letters; operations without one come last',
  EMISSION_DATE: 'Issue date; operations without one come last',
  MATURITY_DATE: 'Maturity date as in `maturityDate`; operations without one come last',
  VOLUME: 'Issued volume',
});

@InputType({
  description:
    'Filter of a list of operations. All given fields must match; a field that is omitted or an empty list does not restrict the list.',
})
export class OperationFilter extends inputs({
  ...issueFilter('operations', {
    of: '',
    indexed: 'a series of one of these indexers',
    volume: 'issued volume',
    operation: '',
  }),
  types: nullable.list(() => OperationTypeEnum, 'Only operations of these types'),
  text: nullable.text(
    "Words, at most 200 characters in total. Each must be part of the operation's name, subtitle, ticker, slug, issuer, the issuer's CNPJ, backing asset or a code of a series, without regard to case and accents. Errors: 400 without a letter or a digit",
    { maxLength: 200 },
  ),
}) {}

@InputType({ description: 'Sort order of a list of operations.' })
export class OperationSort extends inputs({
  field: of(() => SortFieldEnum, 'Field by which the list is sorted'),
  direction: of(() => SortDirectionEnum, 'Direction of sorting', { defaultValue: 'ASC' }),
}) {}

@ArgsType()
export class OperationListArgs extends args({
  ...ofPage(),
  filter: nullable.of(() => OperationFilter, 'Restricts the list; all public operations when omitted'),
  sort: nullable.of(() => OperationSort, 'Sort order; latest issue first when omitted'),
  alerted: flag('Whether only operations with an alert are listed', { defaultValue: false }),
}) {}

@ObjectType({ simpleResolvers: true, description: 'How the pages of an operation are addressed.' })
export class OperationAddress extends fields({
  slug: text('Slug of the operation'),
  seriesTickers: texts('Tickers of its series, by number'),
}) {}

export const tickerArg = { description: 'Ticker of the operation or slug of its estate, in any case' };
