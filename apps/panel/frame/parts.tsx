import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import { Button, FormErrors } from '../../design/controls/controls.js';
import { detailText, failureText, type Failure, type FailureText } from './failure.js';
import { decimal } from './language.js';
import { house } from './site.js';
import { frameTexts } from './texts.js';
import type { Action, Query } from './use-graph.js';

/** The head of a screen. It takes the focus, so that a screen reader reads the new screen and the keyboard goes on from there. */
export function PageHead(props: { readonly title: string; readonly lead?: ReactNode; readonly acts?: ReactNode }) {
  const { title, lead, acts } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${house.name}`;
    if (document.activeElement === null || document.activeElement === document.body || hasMoved())
      heading.current?.focus();
  }, [title]);
  return (
    <div className="head">
      <div className="row spread">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {acts === undefined ? null : <div className="row">{acts}</div>}
      </div>
      {lead === undefined ? null : <p className="muted lead">{lead}</p>}
    </div>
  );
}

/** Whether the focus is still on a link of the navigation, which has brought the screen. */
function hasMoved(): boolean {
  return document.activeElement?.closest('.side, .jump') !== null;
}

/** A sentence about something that did not work, with the errors of values that no field shows. */
export function FailureNotice(props: {
  readonly failure: Failure | undefined;
  readonly shown?: ReadonlySet<string>;
  readonly onRetry?: () => void;
}) {
  const { failure, shown = new Set(), onRetry } = props;
  if (failure === undefined) return null;
  const { retry, requestId } = frameTexts.get();
  const others = failure.details.filter(({ path }) => !shown.has(path));
  return (
    <div className="notice bad" role="alert" tabIndex={-1}>
      <p>
        <Said text={failureText(failure)} />
      </p>
      {others.length === 0 ? null : (
        <ul>
          {others.map((detail) => (
            <li key={`${detail.path} ${detail.message}`}>
              {detail.path === '' ? null : <code>{detail.path}</code>} <Said text={detailText(detail)} />
            </li>
          ))}
        </ul>
      )}
      {failure.requestId === undefined ? null : (
        <p className="small muted">
          {requestId}: <code>{failure.requestId}</code>
        </p>
      )}
      {onRetry === undefined ? null : (
        <p>
          <Button onPress={onRetry}>{retry}</Button>
        </p>
      )}
    </div>
  );
}

/** Reports the last act. It can take the focus from a button that the act has removed. */
export function Note({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="note" tabIndex={-1}>
      {children}
    </p>
  );
}

/** Returns the last note, and a function that sets a note and reloads the changed data. */
export function useNote(reload: () => void): readonly [note: string, done: (said: string) => void] {
  const [note, setNote] = useState('');
  const done = (said: string) => {
    setNote(said);
    reload();
  };
  return [note, done];
}

/** A text about an error; what the server says is marked as English. */
export function Said({ text: { own, english } }: { readonly text: FailureText }) {
  return (
    <>
      {own} {english === undefined ? null : <span lang="en">{english}</span>}
    </>
  );
}

/** A form: its errors stand at their fields, all at once; the rest above them. */
export function Form(props: {
  readonly action: Action;
  readonly fields: readonly string[];
  readonly label?: string;
  readonly onSubmit: (values: FormData) => void;
  readonly children: ReactNode;
}) {
  const { action, fields, label, onSubmit, children } = props;
  const names = fields.join(' ');
  // The same object until there is another failure: React Aria takes a new one for new errors, and would keep the form from being sent again.
  const found = useMemo(() => errorsOf(action.failure, names.split(' ')), [action.failure, names]);
  const { details, errors } = found;
  const form = useRef<HTMLFormElement>(null);
  // Errors come to the reader, who may have the button in view and not the field.
  useEffect(() => {
    if (action.failure === undefined) return;
    const find = (what: string) => form.current?.querySelector<HTMLElement>(what);
    // The notice shows the errors that belong to no field.
    const others = details.some(({ path }) => !(ownerOf(path) in errors));
    const field = others ? undefined : find('[aria-invalid=true]');
    field?.focus();
    // A group of fields takes no focus.
    if (field == null || document.activeElement !== field) find('[role=alert]')?.focus();
  }, [action.failure, details, errors]);
  return (
    <FormErrors value={found}>
      <AriaForm
        ref={form}
        validationErrors={errors}
        {...(label === undefined ? {} : { 'aria-label': label })}
        onSubmit={(event) => {
          event.preventDefault();
          if (!action.isBusy) onSubmit(new FormData(event.currentTarget));
        }}
      >
        <div
          className="form"
          onChange={({ target }) => {
            // At once, and not when the field loses the focus: the button that is about to be pressed would move away.
            if (action.failure !== undefined) action.clear();
            // React Aria looks at a value again when a `change` says that it is complete; a list and a file have just said so.
            if (target instanceof HTMLElement && target.matches('[aria-invalid=true]:not(select, [type=file])'))
              target.dispatchEvent(new Event('change', { bubbles: true }));
          }}
        >
          <FailureNotice
            failure={action.failure}
            shown={new Set(details.map(({ path }) => path).filter((path) => ownerOf(path) in errors))}
          />
          {children}
        </div>
      </AriaForm>
    </FormErrors>
  );
}

function errorsOf(failure: Failure | undefined, names: readonly string[]) {
  const details = failure?.details ?? [];
  const errors: Record<string, string[]> = {};
  const english = new Set<string>();
  for (const detail of details) {
    const name = ownerOf(detail.path);
    if (!names.includes(name)) continue;
    const text = detailText(detail);
    if (text.english !== undefined) english.add(text.english);
    // Two items of a list can break the same rule.
    errors[name] = [...new Set([...(errors[name] ?? []), text.own ?? text.english ?? ''])];
  }
  return { details, errors, english };
}

/** Returns the field that a place in an input belongs to: `events` of `events[0]`. */
function ownerOf(path: string): string {
  return /^\w+/.exec(path)?.[0] ?? path;
}

export function textOf(values: FormData, name: string): string {
  const value = values.get(name);
  return typeof value === 'string' ? value : '';
}

/** Returns the texts of a field that can have several, as those chosen of `Checks`. */
export function textsOf(values: FormData, name: string): readonly string[] {
  return values.getAll(name).filter((value) => typeof value === 'string');
}

export function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Shows the result of a query, or that it is loading, or its error. */
export function Loaded<Data>(props: { readonly query: Query<Data>; readonly children: (data: Data) => ReactNode }) {
  const { query, children } = props;
  const { data, failure, isLoading, reload } = query;
  const { loading } = frameTexts.get();
  return (
    <div className="stack" aria-busy={isLoading}>
      <FailureNotice failure={isLoading ? undefined : failure} onRetry={reload} />
      {data === undefined && isLoading ? (
        <p className="empty" role="status">
          {loading}
        </p>
      ) : null}
      {data === undefined ? null : children(data)}
    </div>
  );
}

export function More(props: {
  readonly shown: number;
  /** How many there are; a sentence, or null, where they were not counted. */
  readonly total: number | string | null;
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  readonly onMore: () => void;
}) {
  const text = frameTexts.get();
  const { shown, total, hasMore } = props;
  if (total === 0 || shown === 0 || (total === null && !hasMore)) return null;
  return (
    <div className="pager">
      <span className="muted" role="status">
        {total === null
          ? decimal(shown)
          : text.shown(decimal(shown), typeof total === 'number' ? decimal(total) : total)}
      </span>
      {hasMore ? (
        <Button isBusy={props.isBusy} onPress={props.onMore}>
          {text.more}
        </Button>
      ) : null}
    </div>
  );
}

/** Why an order or a hedge was not executed, in the language of the page where its words are known: reasons of several venues are joined, each after the name of its venue. */
export function Reason({ text }: { readonly text: string }) {
  const { orderReasons } = frameTexts.get();
  const parts = text.split('; ').map((part) => {
    const [, venue = '', sentence = '', timeInForce = ''] = /^([\w-]+: )?(.*?)( \([A-Z]+\))?$/.exec(part) ?? [];
    const known = orderReasons[sentence];
    return known === undefined ? undefined : venue + known + timeInForce;
  });
  return parts.includes(undefined) ? <span lang="en">{text}</span> : parts.join('; ');
}
