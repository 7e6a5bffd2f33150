import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A meeting of the holders. */
@Entity({ schema: 'issuances', name: 'assemblies' })
export class AssemblyRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('date')
  date!: string;

  @Column('text')
  type!: string;

  @Column('text')
  title!: string;

  @Column('text', { nullable: true })
  call!: string | null;

  @Column('text')
  status!: string;

  @Column('text')
  agenda!: string;

  @Column('text', { nullable: true })
  resolution!: string | null;

  @Column('numeric', { name: 'quorum_percent', nullable: true })
  quorumPercent!: string | null;

  @Column('text', { nullable: true })
  url!: string | null;
}
