import { Directive, Field, ID, ObjectType, ArgsType, InputType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { PublishedLabel } from '../../../shared/graphql/labels.js';
import { DateScalar, DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { issueStatusOf, type IssueStatus } from './issue-status.js';
import type { OperationType } from './operation.js';
import type { OperationRow } from './operation.store.js';
import { AtMost } from '../../../shared/graphql/constraint.js';
import { connectionType } from '../../../shared/graphql/connection-type.js';
import { connectionArgs } from '../../../shared/graphql/page-args.js';
import { issueFilter, IssueStatusEnum } from './issue-filter.js';
import { SortDirectionEnum } from '../../../shared/graphql/sorted-list.js';
import type { SortField } from './operation-list.js';
import { fields, inputs, nullable, of, text, texts } from '../../../shared/graphql/fields.js';

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
export class Operation {
  @Field(() => ID, { description: 'Id (UUID)' })
  id!: string;

  @Field(() => String, { description: 'Ticker, unique without regard to case' })
  ticker!: string;

  @Field(() => String, { description: 'Slug of the estate, the other name of the operation' })
  slug!: string;

  @Field(() => OperationTypeEnum, { description: 'Type of its securities' })
  type!: OperationType;

  @PublishedLabel('statusText')
  @Field(() => IssueStatusEnum, { description: 'Status; `statusLabel` is the published label' })
  status!: IssueStatus;

  @Field(() => String, { description: 'Name' })
  name!: string;

  @Field(() => String, { description: 'Subtitle; may be empty' })
  subtitle!: string;

  @Field(() => String, { description: 'Path of its page on the website' })
  href!: string;

  @Field(() => [String], { description: 'Short labels' })
  chips!: readonly string[];

  @Field(() => String, { nullable: true, description: 'Issuance number' })
  emissionNumber!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Issue date' })
  emissionDate!: string | null;

  @Field(() => DateScalar, {
    nullable: true,
    description: 'Maturity date: the latest of its series where none is given for the operation; null without series',
  })
  maturityDate!: string | null;

  @Field(() => String, { nullable: true, description: 'Issuer' })
  issuer!: string | null;

  @Field(() => String, { nullable: true, description: 'CNPJ of the issuer, 14 characters without punctuation' })
  issuerCnpj!: string | null;

  @Field(() => String, { nullable: true, description: 'Trustee' })
  trustee!: string | null;

  @Field(() => String, { nullable: true, description: 'Lead coordinator' })
  leadCoordinator!: string | null;

  @Field(() => String, { nullable: true, description: 'Bookkeeper' })
  bookkeeper!: string | null;

  @Field(() => String, { nullable: true, description: 'Auditor' })
  auditor!: string | null;

  @Field(() => String, { nullable: true, description: 'Backing asset (lastro)' })
  backingAsset!: string | null;

  @Field(() => String, { nullable: true, description: 'Rating' })
  rating!: string | null;

  @Field(() => OperationPurpose, { nullable: true, description: 'Purpose of the operation' })
  purpose!: OperationPurpose | null;

  @Field(() => DateTimeScalar, { description: 'Time of the last change of its own data' })
  updatedAt!: Date;
}

/** An operation as resolvers pass it on: the visible fields, and the label of its status as it is published. */
export type OperationShape = Shape<Operation> & { readonly statusText: string };

export function toOperation(row: OperationRow): OperationShape {
  return {
    id: row.id,
    ticker: row.ticker,
    slug: row.slug,
    type: row.type,
    status: issueStatusOf(row.status),
    statusText: row.status,
    name: row.name,
    subtitle: row.sub,
    href: row.href,
    chips: row.chips,
    emissionNumber: row.emissionNumber,
    emissionDate: row.emissionDate,
    maturityDate: row.maturityDate,
    issuer: row.issuer,
    issuerCnpj: row.issuerCnpj,
    trustee: row.trustee,
    leadCoordinator: row.leadCoordinator,
    bookkeeper: row.bookkeeper,
    auditor: row.auditor,
    backingAsset: row.backingAsset,
    rating: row.rating,
    purpose: toPurpose(row),
    updatedAt: row.updatedAt,
  };
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
export class OperationFilter extends issueFilter('operations', {
  of: '',
  indexed: 'a series of one of these indexers',
  volume: 'issued volume',
  operation: '',
}) {
  @Field(() => [OperationTypeEnum], { nullable: true, description: 'Only operations of these types' })
  types?: OperationType[] | null;

  @AtMost({ maxLength: 200 })
  @Field(() => String, {
    nullable: true,
    description:
      "Words, at most 200 characters in total. Each must be part of the operation's name, subtitle, ticker, slug, issuer, the issuer's CNPJ, backing asset or a code of a series, without regard to case and accents. Errors: 400 without a letter or a digit",
  })
  text?: string | null;
}

@InputType({ description: 'Sort order of a list of operations.' })
export class OperationSort extends inputs({
  field: of(() => SortFieldEnum, 'Field by which the list is sorted'),
  direction: of(() => SortDirectionEnum, 'Direction of sorting', { defaultValue: 'ASC' }),
}) {}

@ArgsType()
export class OperationListArgs extends connectionArgs() {
  @Field(() => OperationFilter, {
    nullable: true,
    description: 'Restricts the list; all public operations when omitted',
  })
  filter?: OperationFilter | null;

  @Field(() => OperationSort, { nullable: true, description: 'Sort order; latest issue first when omitted' })
  sort?: OperationSort | null;

  @Field(() => Boolean, { defaultValue: false, description: 'Whether only operations with an alert are listed' })
  alerted!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'How the pages of an operation are addressed.' })
export class OperationAddress extends fields({
  slug: text('Slug of the operation'),
  seriesTickers: texts('Tickers of its series, by number'),
}) {}
