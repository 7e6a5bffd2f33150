import { Directive, Field, Int, ObjectType } from 'type-graphql';
import { DateScalar, DecimalScalar } from '../../../shared/graphql/scalars.js';

@ObjectType({ simpleResolvers: true, description: 'A contract of an operation on a public chain.' })
export class BlockchainContract {
  @Field(() => String, { description: 'Address' })
  endereco!: string;

  @Field(() => String, { description: 'Network' })
  rede!: string;

  @Field(() => Int, { description: 'Chain id (EIP-155)' })
  chainId!: number;

  @Field(() => String, { description: 'Standard: ERC-721A…' })
  padrao!: string;

  @Field(() => String, { description: 'Name of the token' })
  nome!: string;

  @Field(() => String, { description: 'Symbol of the token' })
  simbolo!: string;

  @Field(() => String, { nullable: true, description: 'Ticker of the series that it tokenizes' })
  serie!: string | null;

  @Field(() => String, { description: 'Number of tokens into which the series is divided: `150.000`' })
  quantidadeTokens!: string;

  @Field(() => String, { description: 'Number of existing tokens' })
  totalEmitido!: string;

  @Field(() => String, { description: 'Day of deployment, `DD/MM/YYYY`' })
  dataImplantacao!: string;

  @Field(() => String, { nullable: true, description: 'The contract in a block explorer' })
  explorerUrl!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'An event of a contract on its chain.' })
export class BlockchainActivity {
  @Field(() => String, { description: 'Type, a free label: MINT, TRANSFER…' })
  tipo!: string;

  @Field(() => String, { description: 'Date, `DD/MM/YYYY`' })
  data!: string;

  @Field(() => String, { description: 'Address of the contract' })
  contrato!: string;

  @Field(() => String, { description: 'Hash of the transaction' })
  transacao!: string;

  @Field(() => String, { description: 'Number of the block' })
  bloco!: string;

  @Field(() => String, { nullable: true, description: 'Address of the sender' })
  de!: string | null;

  @Field(() => String, { nullable: true, description: 'Address of the recipient' })
  para!: string | null;

  @Field(() => String, { nullable: true, description: 'Number of tokens' })
  quantidade!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The contracts of an operation on public chains, and their events.' })
export class BlockchainData {
  @Field(() => String, {
    nullable: true,
    description: 'Network, or networks separated by commas; null when nothing is on a chain',
  })
  rede!: string | null;

  @Directive('@listSize(assumedSize: 20)')
  @Field(() => [BlockchainContract], { description: 'Contracts, oldest first' })
  contratos!: readonly BlockchainContract[];

  @Directive('@listSize(assumedSize: 100)')
  @Field(() => [BlockchainActivity], { description: 'The last 100 events, newest first' })
  atividade!: readonly BlockchainActivity[];
}

@ObjectType({
  simpleResolvers: true,
  description: "Comparison of the issuer's unit price of a series with that of the trustee firm.",
})
export class TrusteeComparison {
  @Field(() => String, { description: 'Number of the series' })
  serie!: string;

  @Field(() => String, { description: 'Ticker of the series' })
  ticker!: string;

  @Field(() => String, { description: 'The trustee firm' })
  agente!: string;

  @Field(() => String, { description: 'Day of both prices, `DD/MM/YYYY`: the latest one that the firm published' })
  data!: string;

  @Field(() => String, { nullable: true, description: "The issuer's price: `R$ 1.034,12345678`" })
  puEmissora!: string | null;

  @Field(() => String, { description: 'Price of the trustee firm' })
  puAgente!: string;

  @Field(() => String, { nullable: true, description: 'Price of the issuer less that of the trustee firm' })
  diferenca!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Difference relative to the price of the trustee firm: `0,0001%`',
  })
  diferencaPercentual!: string | null;

  @Field(() => DateScalar, { description: 'Day of both prices, `YYYY-MM-DD`' })
  dataRaw!: string;

  @Field(() => DecimalScalar, { nullable: true, description: "The issuer's price in BRL, 8 decimals" })
  puEmissoraRaw!: string | null;

  @Field(() => DecimalScalar, { description: 'Price of the trustee firm in BRL, 8 decimals' })
  puAgenteRaw!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'Difference in BRL, 8 decimals' })
  diferencaRaw!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Difference in percent, 6 decimals' })
  diferencaPercentualRaw!: string | null;
}
