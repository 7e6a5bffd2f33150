import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../../design/controls/controls.js';
import { Form, textOf } from './parts.js';
import { useAction } from './use-graph.js';

/** A part of the path by its name in the route: `id` of `/webhooks/$id`. */
export function usePathPart(name: string): string {
  const parts: Readonly<Record<string, unknown>> = useParams({ strict: false });
  return String(parts[name]);
}

/** A parameter of the address, as the route has checked it; undefined where there is none. */
export function useParameter(name: string): unknown {
  const parameters: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  return parameters[name];
}

export function AddressForm<Parameters extends object>(props: {
  readonly to: string;
  readonly label: string;
  readonly submit: string;
  readonly fields: readonly string[];
  readonly read: (search: Readonly<Record<string, unknown>>) => Parameters;
  readonly children: (parameters: Parameters) => ReactNode;
}) {
  const { to, label, submit, fields, read, children } = props;
  const parameters = read(useSearch({ strict: false }));
  const action = useAction();
  const navigate = useNavigate();
  return (
    <Form
      key={JSON.stringify(parameters)}
      action={action}
      fields={fields}
      label={label}
      onSubmit={(values) => {
        const search = read(Object.fromEntries(fields.map((name) => [name, textOf(values, name).trim()])));
        void navigate({ to, search, resetScroll: false });
      }}
    >
      <div className="filter">
        {children(parameters)}
        <Button kind="main" type="submit">
          {submit}
        </Button>
      </div>
    </Form>
  );
}
