import { Directive, Field, ObjectType } from 'type-graphql';
import { DateScalar, DateTimeScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';
import { OperationCard, SeriesSummary } from '../cards/card.type.js';
import { BlockchainData, TrusteeComparison } from './detail-chain.type.js';
import { OperationFinance, SeriesPricing } from './detail-money.type.js';
import { Assembleia, DetailObligation, DetailPayment, Garantia, Notice, OperationParty } from './detail-parts.type.js';

// Fields of docs/contract/issuances.md §3.2. Values are display strings in Brazilian format unless a field is named
// `…Raw`.

@ObjectType({ simpleResolvers: true, description: 'A series in the detail of its operation.' })
export class SeriesDetail extends SeriesSummary {
  @Field(() => String, { description: 'Status, a free label' })
  status!: string;

  @Field(() => String, { description: 'Unit value at issue: `R$ 1.000,00000000`' })
  valorNominalUnitario!: string;

  @Field(() => String, { description: 'Number of issued units: `150.000`' })
  quantidade!: string;

  @Field(() => String, { nullable: true, description: 'Number of subscribed units' })
  quotasSubscritas!: string | null;

  @Field(() => String, { nullable: true, description: 'Raised amount: `R$ 1.234.567,89`' })
  valorCaptado!: string | null;

  @Field(() => DecimalScalar, { description: 'Unit value at issue in BRL, 8 decimals' })
  valorNominalUnitarioRaw!: string;

  @Field(() => DecimalScalar, { description: 'Number of issued units, a whole number' })
  quantidadeRaw!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Raised amount in BRL, 2 decimals' })
  valorCaptadoRaw!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Purpose and offering of an operation.' })
export class OperationSummary {
  @Field(() => String, { description: 'Description' })
  descricao!: string;

  @Field(() => String, { nullable: true, description: 'Segment of the economy' })
  segmento!: string | null;

  @Field(() => String, { nullable: true, description: 'Use of proceeds' })
  destinacao!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Offering: the rule and procedure under which the operation was placed',
  })
  oferta!: string | null;

  @Field(() => [String], { description: 'Highlights' })
  destaques!: readonly string[];
}

@ObjectType({ simpleResolvers: true, description: 'A public document of an operation.' })
export class PublicDocument {
  @Field(() => String, { nullable: true, description: 'Name' })
  name!: string | null;

  @Field(() => String, { nullable: true, description: 'Type, a free label' })
  type!: string | null;

  @Field(() => String, { nullable: true, description: 'Public URL of the file' })
  url!: string | null;

  @Field(() => DateTimeScalar, { description: 'Time of publication' })
  createdAt!: Date;

  @Field(() => DateScalar, { nullable: true, description: 'Day to which the content refers, `YYYY-MM-DD`' })
  referenceDate!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A securitization operation with all published data about it.',
})
export class OperationDetail extends OperationCard {
  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesDetail], { description: 'Its series, by number' })
  override series!: readonly SeriesDetail[];

  @Field(() => String, { description: 'Remuneration in words; `—` without series' })
  remuneracao!: string;

  @Field(() => String, { nullable: true, description: 'Issuer' })
  emissora!: string | null;

  @Field(() => String, { nullable: true, description: 'CNPJ of the issuer, `12.345.678/0001-95`' })
  emissoraCnpj!: string | null;

  @Field(() => String, { nullable: true, description: 'Trustee' })
  agenteFiduciario!: string | null;

  @Field(() => String, { nullable: true, description: 'Lead coordinator' })
  coordenadorLider!: string | null;

  @Field(() => String, { nullable: true, description: 'Bookkeeper' })
  escriturador!: string | null;

  @Field(() => String, { nullable: true, description: 'Auditor' })
  auditor!: string | null;

  @Field(() => String, { nullable: true, description: 'Backing asset' })
  lastro!: string | null;

  @Field(() => String, { nullable: true, description: 'Rating' })
  rating!: string | null;

  @Field(() => String, {
    description: 'Maturity date, `DD/MM/YYYY`: the latest of its series where none is given; `—` without series',
  })
  dataVencimento!: string;

  @Field(() => DateScalar, { nullable: true, description: 'The same date, `YYYY-MM-DD`; null without series' })
  dataVencimentoRaw!: string | null;

  @Field(() => DateScalar, { nullable: true, description: 'Issue date, `YYYY-MM-DD`' })
  dataEmissaoRaw!: string | null;

  @Field(() => String, { description: 'Issued volume, which is the sum of the series: `R$ 1.234.567,89`' })
  volume!: string;

  @Field(() => DecimalScalar, { description: 'Issued volume in BRL, 2 decimals' })
  volumeRaw!: string;

  @Field(() => OperationSummary, { nullable: true, description: 'Purpose of the operation' })
  summary!: OperationSummary | null;

  @Field(() => [Garantia], { description: 'Guarantees of the operation' })
  garantias!: readonly Garantia[];

  // Those of a period: detail-period.resolver.ts
  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [PublicDocument], { description: 'Its public documents, newest first' })
  documents!: readonly PublicDocument[];

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [DetailObligation], {
    description: 'Deliveries that the debtors owe, by due date, with their status as of today',
  })
  obligations!: readonly DetailObligation[];

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [SeriesPricing], {
    description: 'Unit prices of each series: the current one, the two before it, and the history',
  })
  precificacao!: readonly SeriesPricing[];

  @Field(() => OperationFinance, { description: 'Accounts and permitted investments' })
  financeiro!: OperationFinance;

  @Directive('@listSize(assumedSize: 200)')
  @Field(() => [DetailPayment], { description: 'Payments to the holders, by due date' })
  pagamentos!: readonly DetailPayment[];

  @Directive('@listSize(assumedSize: 50)')
  @Field(() => [Assembleia], { description: 'Meetings of the holders, newest first' })
  assembleias!: readonly Assembleia[];

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [Notice], { description: 'Notices and material facts, newest first' })
  comunicacao!: readonly Notice[];

  @Field(() => BlockchainData, { description: 'Contracts on public chains, and their events' })
  blockchain!: BlockchainData;

  @Field(() => [OperationParty], { description: 'Companies with a role in the operation' })
  participants!: readonly OperationParty[];

  @Field(() => Boolean, { description: 'Whether a trustee firm publishes its own unit price for the operation' })
  otIntegrado!: boolean;

  @Directive('@listSize(assumedSize: 4)')
  @Field(() => [TrusteeComparison], {
    description:
      'Comparison of the unit prices of the issuer and of the trustee firm, for each series with a price of the latter',
  })
  otData!: readonly TrusteeComparison[];

  @Field(() => DateTimeScalar, {
    description: 'Time at which the detail was computed (UTC); it is recomputed when any data changes',
  })
  generatedAt!: Date;
}
