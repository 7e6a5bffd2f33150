import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An operation on the watchlist of an account. The operation belongs to another domain and may cease to exist there. */
@Entity({ schema: 'accounts', name: 'follows' })
export class FollowRow {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  /** In upper case. */
  @PrimaryColumn('text')
  ticker!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
