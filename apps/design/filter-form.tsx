export interface FilterField {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly type: 'search' | 'date' | 'datetime-local' | 'select';
  /** Why its value could not be read. */
  readonly error?: string;
  readonly options?: readonly { readonly value: string; readonly text: string }[];
}

export function selectField(
  name: string,
  label: string,
  value: string,
  options: readonly { readonly value: string; readonly text: string }[],
): FilterField {
  return { name, label, value, options, type: 'select' };
}

export interface FilterParts {
  readonly fields: readonly FilterField[];
  readonly choice?: {
    readonly name: string;
    readonly label: string;
    readonly chosen: readonly string[];
    readonly options: readonly { readonly value: string; readonly text: string }[];
  };
  readonly kept?: Readonly<Record<string, string | undefined>>;
}

/** A form that asks for the same page with other parameters; it works without a script. */
export function FilterForm(
  props: FilterParts & {
    readonly action: string;
    readonly label: string;
    readonly submit: string;
    readonly reset?: { readonly href: string; readonly text: string } | undefined;
  },
) {
  const { action, label, submit, fields, choice, kept = {}, reset } = props;
  return (
    // What was typed after the page was left must not stand over its list when a browser goes back.
    <form className="filter" method="get" action={action} role="search" aria-label={label} autoComplete="off">
      {fields.map((field) =>
        isShort(field) ? (
          <Segments key={field.name} {...field} />
        ) : (
          <label key={field.name} className={field.type === 'search' ? 'grow' : undefined}>
            {field.label}
            <Input {...field} />
            {field.error === undefined ? null : (
              <span id={`${field.name}-error`} className="error" role="alert">
                {field.error}
              </span>
            )}
          </label>
        ),
      )}
      {choice === undefined ? null : (
        <details>
          <summary>{choice.label}</summary>
          {choice.options.map(({ value, text }) => (
            <label key={value}>
              <input type="checkbox" name={choice.name} value={value} defaultChecked={choice.chosen.includes(value)} />{' '}
              {text}
            </label>
          ))}
        </details>
      )}
      {Object.entries(kept).map(([name, value]) =>
        value === undefined ? null : <input key={name} type="hidden" name={name} value={value} />,
      )}
      <button type="submit">{submit}</button>
      {reset === undefined ? null : (
        <a className="button plain" href={reset.href}>
          {reset.text}
        </a>
      )}
    </form>
  );
}

/** Whether its values stand beside each other: up to five short ones. */
const isShort = ({ options = [] }: FilterField) =>
  options.length > 0 && options.length <= 5 && options.every(({ text }) => text.length <= 12);

function Segments({ name, label, value, options = [] }: FilterField) {
  return (
    <fieldset>
      <legend>{label}</legend>
      <div className="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              className="visually-hidden"
              name={name}
              value={option.value}
              defaultChecked={option.value === value}
            />
            {option.text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Input({ name, type, value, options = [], error }: FilterField) {
  if (type !== 'select')
    return (
      <input
        name={name}
        type={type}
        defaultValue={value}
        maxLength={type === 'search' ? 100 : undefined}
        {...(error === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': `${name}-error` })}
      />
    );
  return (
    <select name={name} defaultValue={value}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.text}
        </option>
      ))}
    </select>
  );
}
