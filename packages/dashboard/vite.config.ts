import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadFonts } from './build/preload-fonts.ts';

/** The name of the host stays as the browser has it: the service lets only its own pages sign in. */
const service = { target: process.env['TRIBUTARY_URL'] ?? 'http://127.0.0.1:8080', changeOrigin: false };

export default defineConfig({
  base: '/dashboard/',
  plugins: [
    react(),
    // Before everything else, or the words of every language are shipped.
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    preloadFonts(),
  ],
  // The server puts a fresh nonce here in each response.
  html: { cspNonce: 'TRIBUTARY_NONCE' },
  // While it is worked on: `npm run dev` beside a stack.
  server: { proxy: { '/v1': service, '/dashboard/api': service } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
