import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A contract on a public chain. */
@Entity({ schema: 'issuances', name: 'onchain_contracts' })
export class OnchainContractRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('uuid', { name: 'series_id', nullable: true })
  seriesId!: string | null;

  @Column('integer', { name: 'chain_id' })
  chainId!: number;

  @Column('text')
  network!: string;

  @Column('text')
  address!: string;

  @Column('text')
  standard!: string;

  @Column('text')
  name!: string;

  @Column('text')
  symbol!: string;

  @Column('numeric', { name: 'token_quantity' })
  tokenQuantity!: string;

  @Column('numeric', { name: 'total_supply' })
  totalSupply!: string;

  @Column('timestamptz', { name: 'deployed_at' })
  deployedAt!: Date;

  @Column('text', { name: 'explorer_url', nullable: true })
  explorerUrl!: string | null;
}
