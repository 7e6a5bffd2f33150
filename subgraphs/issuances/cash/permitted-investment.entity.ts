import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A type of investment that an operation may hold its cash in. */
@Entity({ schema: 'issuances', name: 'permitted_investments' })
export class PermittedInvestmentRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'operation_id' })
  operationId!: string;

  @Column('text', { name: 'external_id' })
  externalId!: string;

  @Column('text')
  description!: string;

  @Column('text', { nullable: true })
  institution!: string | null;

  @Column('numeric', { name: 'limit_percent', nullable: true })
  limitPercent!: string | null;

  @Column('numeric', { name: 'invested_amount', nullable: true })
  investedAmount!: string | null;

  @Column('date', { name: 'position_date', nullable: true })
  positionDate!: string | null;
}
