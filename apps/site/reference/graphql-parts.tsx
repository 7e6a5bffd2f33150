import {
  getNamedType,
  isEnumType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLType,
} from 'graphql';
import { Table } from '../../design/table.js';
import { pathIn } from '../layout.js';
import type { Frame } from './frame.js';
import { domainPath, type Domain, type Domains } from './graphql-domains.js';
import { messagesOf } from './messages.js';
import { Note } from './parts.js';

/** The page that a part stands on. */
export interface Place {
  readonly frame: Frame;
  readonly domains: Domains;
  readonly domain: Domain;
}

type AnyField = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;

interface FieldsProps {
  readonly caption: string;
  readonly fields: readonly AnyField[];
  readonly id: string;
  readonly place: Place;
}

export function Fields({ caption, fields, id, place }: FieldsProps) {
  const text = messagesOf(place.frame.locale);
  return (
    <Table
      caption={caption}
      rows={fields}
      keyOf={({ name }) => name}
      empty={text.empty}
      columns={[
        {
          label: text.table.name,
          kind: 'wide',
          cell: (field) => (
            <span id={`${id}-${field.name}`}>
              <code>
                <strong>{field.name}</strong>
              </code>
              <span className="sub">
                <TypeLink type={field.type} place={place} />
              </span>
            </span>
          ),
        },
        {
          label: text.table.meaning,
          cell: (field) => (
            <>
              <Deprecation reason={field.deprecationReason} place={place} />
              <Note text={field.description ?? ''} locale={place.frame.locale} />
              {'defaultValue' in field && field.defaultValue !== undefined ? (
                <span className="sub">
                  default <code>{JSON.stringify(field.defaultValue)}</code>
                </span>
              ) : null}
              {'args' in field ? <Arguments field={field} place={place} /> : null}
            </>
          ),
        },
      ]}
    />
  );
}

function Arguments({ field, place }: { readonly field: GraphQLField<unknown, unknown>; readonly place: Place }) {
  if (field.args.length === 0) return null;
  return (
    <ul className="arguments">
      {field.args.map((argument) => (
        <li key={argument.name}>
          <code>{argument.name}</code> <TypeLink type={argument.type} place={place} />{' '}
          <Note text={argument.description ?? ''} locale={place.frame.locale} />
        </li>
      ))}
    </ul>
  );
}

export function Values({ type, place }: { readonly type: GraphQLNamedType; readonly place: Place }) {
  const text = messagesOf(place.frame.locale);
  return (
    <Table
      caption={`${type.name}: ${text.table.value}`}
      rows={isEnumType(type) ? type.getValues() : []}
      keyOf={({ name }) => name}
      empty={text.empty}
      columns={[
        { label: text.table.value, kind: 'wide', cell: ({ name }) => <code id={`${type.name}-${name}`}>{name}</code> },
        {
          label: text.table.meaning,
          cell: ({ description, deprecationReason }) => (
            <>
              <Deprecation reason={deprecationReason} place={place} />
              <Note text={description ?? ''} locale={place.frame.locale} />
            </>
          ),
        },
      ]}
    />
  );
}

export function Deprecation({ reason, place }: { readonly reason: string | null | undefined; readonly place: Place }) {
  if (reason === null || reason === undefined) return null;
  const text = messagesOf(place.frame.locale);
  return (
    <span className="sub">
      <span className="badge warn">{text.deprecated}</span> <Note text={reason} locale={place.frame.locale} />
    </span>
  );
}

export function TypeLinks({ types, place }: { readonly types: readonly GraphQLNamedType[]; readonly place: Place }) {
  return types.map((type, at) => (
    <span key={type.name}>
      {at === 0 ? '' : ', '}
      <TypeLink type={type} place={place} />
    </span>
  ));
}

/** A type as the schema writes it, which leads to its description. */
export function TypeLink({
  type,
  place: { frame, domains, domain },
}: {
  readonly type: GraphQLType;
  readonly place: Place;
}) {
  const { name } = getNamedType(type);
  const owner = domains.domainOf.get(name);
  const [before = '', after = ''] = String(type).split(name);
  const href = owner === domain.name ? `#${name}` : pathIn(frame.locale, `${domainPath(owner ?? '')}#${name}`);
  return (
    <code>
      {before}
      {owner === undefined ? name : <a href={href}>{name}</a>}
      {after}
    </code>
  );
}
