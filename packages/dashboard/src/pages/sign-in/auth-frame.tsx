import { useEffect, type ReactNode } from 'react';
import { Logo } from '../../shell/logo.tsx';
import './auth.css';

/** A single centered column for sign-in and related pages. */
export function AuthFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} – Tributary`;
  }, [title]);
  return (
    <div className="auth">
      <div className="auth-column">
        <Logo size={28} />
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  );
}
