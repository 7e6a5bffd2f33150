import { Directive, Field, ID, ObjectType } from 'type-graphql';
import { describeEnum } from '../../../shared/graphql/describe-enum.js';
import { PublishedLabel } from '../../../shared/graphql/labels.js';
import { DateScalar, DateTimeScalar } from '../../../shared/graphql/scalars.js';
import type { Shape } from '../../../shared/graphql/shape.js';
import { issueStatusOf, type IssueStatus } from './issue-status.js';
import type { OperationType } from './operation.js';
import type { OperationRow } from './operation.store.js';

@ObjectType({ simpleResolvers: true, description: 'Purpose and offering of an operation.' })
export class OperationPurpose {
  @Field(() => String, { description: 'Description' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'Segment of the economy' })
  segment!: string | null;

  @Field(() => String, { nullable: true, description: 'Use of proceeds' })
  useOfProceeds!: string | null;

  @Field(() => String, { nullable: true, description: 'Rule and procedure under which it was offered' })
  offering!: string | null;

  @Field(() => [String], { description: 'Highlights' })
  highlights!: readonly string[];
}

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

export const IssueStatusEnum = describeEnum<IssueStatus>(
  'IssueStatus',
  'Status of an operation or of one of its series, according to the label that its operator published.',
  {
    STRUCTURING: 'Being set up',
    OFFERED: 'Offered to investors',
    ACTIVE: 'In force',
    DEFAULTED: 'In force, with payments that are not made',
    ACCELERATED: 'Due before its maturity date, because of a default or another event of the deed',
    ENDED: 'Ended: repaid, redeemed or matured',
    CANCELLED: 'Cancelled',
    OTHER: 'The published label is none of the known ones',
  },
  {
    STRUCTURING: ['Em estruturação', 'Being set up'],
    OFFERED: ['Em distribuição', 'Offered'],
    ACTIVE: ['Ativa', 'Active'],
    DEFAULTED: ['Inadimplente', 'Defaulted'],
    ACCELERATED: ['Vencida antecipadamente', 'Accelerated'],
    ENDED: ['Encerrada', 'Ended'],
    CANCELLED: ['Cancelada', 'Cancelled'],
    OTHER: ['Outro', 'Other'],
  },
);

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
