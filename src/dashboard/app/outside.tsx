// The frame of pages for whoever is not signed in: the logo, one card, nothing else.
import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { t } from '../texts'
import { LanguageSelect } from './language-select'
import { BrandMark } from './mark'

export function Outside() {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-6 px-5 py-10">
      <div className="flex items-center gap-2.5">
        <BrandMark className="size-9" />
        <span className="text-lg font-semibold tracking-tight">{t.words.appName}</span>
      </div>
      <Suspense>
        <Outlet />
      </Suspense>
      <LanguageSelect
        aria-label={t.words.language}
        className="control -ml-1 self-start rounded-md bg-transparent px-1 text-quiet hover:text-ink"
      />
    </main>
  )
}
