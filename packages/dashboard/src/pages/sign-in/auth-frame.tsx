import { useEffect, type ReactNode } from 'react';
import { Logo } from '../../shell/logo.tsx';
import './auth.css';

/** One column, for what stands alone: sign-in and its neighbours. */
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
