import { Field } from '../../components/field.tsx';

export const leastPasswordLength = 12;

export interface NewPasswordProps {
  value: string;
  onChange: (value: string) => void;
  label?: string;
  autoFocus?: boolean;
}

/** Length is what counts; nothing else is asked of a password. */
export function NewPassword({ value, onChange, label = 'Password', autoFocus }: NewPasswordProps) {
  const missing = leastPasswordLength - value.length;
  return (
    <Field
      label={label}
      type="password"
      autoComplete="new-password"
      value={value}
      onChange={onChange}
      help={
        value !== '' && missing > 0
          ? `${missing} more to go`
          : `At least ${leastPasswordLength} characters; a few words are best`
      }
      minLength={leastPasswordLength}
      isRequired
      autoFocus={autoFocus ?? false}
    />
  );
}
