import { Button } from '../components/controls/button.tsx';
import { Field } from '../components/controls/field.tsx';
import './authenticator.css';

export interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Called when the sixth digit is typed or pasted. */
  onComplete: (digits: string) => void;
  isPending: boolean;
  action?: string;
}

/** Six digits in one field, so that phones can autofill it and pasted text may contain separators. */
export function CodeField({ value, onChange, onComplete, isPending, action = 'Continue' }: CodeFieldProps) {
  return (
    <form
      className="code-input"
      onSubmit={(event) => {
        event.preventDefault();
        if (value.length === 6 && !isPending) onComplete(value);
      }}
    >
      <Field
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        onChange={(text) => {
          const digits = text.replaceAll(/\D/g, '').slice(0, 6);
          onChange(digits);
          if (digits.length === 6 && value.length < 6 && !isPending) onComplete(digits);
        }}
        isRequired
        autoFocus
      />
      <Button kind="primary" type="submit" wide isPending={isPending}>
        {action}
      </Button>
    </form>
  );
}
