import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OwnerType } from './account.js';
import type { MailLanguage } from './compose-mail.js';

/** A person's account. The CHECKs of the table define which columns go with which `ownerType`. */
@Entity({ schema: 'accounts', name: 'accounts' })
export class AccountRow {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text', { name: 'owner_type' })
  ownerType!: OwnerType;

  /** E-mail as typed; compared in lower case. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  @Column('text', { nullable: true })
  company!: string | null;

  @Column('text', { name: 'password_hash', nullable: true })
  passwordHash!: string | null;

  @Column('text', { name: 'portal_id', nullable: true })
  portalId!: string | null;

  @Column('text', { name: 'mail_language' })
  mailLanguage!: MailLanguage;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'confirmed_at', nullable: true })
  confirmedAt!: Date | null;

  /** When an operator disabled the account; null while it is enabled. */
  @Column('timestamptz', { name: 'disabled_at', nullable: true })
  disabledAt!: Date | null;
}
