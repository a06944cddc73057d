// The dashboard in German and French: complete on wide screens and narrow ones, and chosen without losing what was typed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { type Showcase, startShowcase } from '../support/showcase'
import { faults, launch, openPage, showIn, signIn, visitor } from './open'
import type { PageCase } from './pages'

let browser: Browser
let showcase: Showcase

beforeAll(async () => {
  if (!chromiumPath) return
  browser = await launch()
  showcase = await startShowcase()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await showcase?.stop()
})

const shown: Record<string, PageCase[]> = {
  de: [
    { name: 'sign-in', path: '/sign-in', shows: 'Bei Waxwing einloggen', isOutside: true },
    { name: 'overview', path: '/', shows: 'Öffnungen je Stunde' },
    { name: 'contacts', path: '/contacts', shows: 'Kontakt hinzufügen' },
  ],
  fr: [
    { name: 'sign-in', path: '/sign-in', shows: 'Connexion à Waxwing', isOutside: true },
    { name: 'overview', path: '/', shows: 'Ouvertures par heure' },
    { name: 'contacts', path: '/contacts', shows: 'Ajouter un contact' },
  ],
}

describe.skipIf(!chromiumPath)('languages', () => {
  test.each(Object.keys(shown))('%s, wide and narrow: nothing is wrong', async language => {
    const looks = [1280, 360].map(width => ({ width, theme: 'light' }) as const)
    const somebody = await visitor(browser, { ...looks[0]!, language })
    await signIn(somebody, showcase)
    const wrong: string[] = []
    for (const page of shown[language]!) {
      await showIn(somebody, looks[0]!)
      await openPage(somebody, showcase, page)
      const lang = await somebody.page.evaluate(() => document.documentElement.lang)
      if (lang !== language) wrong.push(`${page.name} says that it is ${lang}`)
      for (const look of looks) {
        await showIn(somebody, look)
        wrong.push(...(await faults(somebody)).map(fault => `${page.name}, ${look.width}: ${fault}`))
      }
    }
    await somebody.close()
    expect(wrong).toEqual([])
  })

  test('another one keeps what was typed, and is remembered', async () => {
    const somebody = await visitor(browser, { width: 1280, theme: 'light' })
    const { page } = somebody
    await page.goto(`${showcase.url}/app/sign-in`)
    await page.getByLabel('Email', { exact: true }).fill(showcase.email)
    await page.getByLabel('Language').selectOption('fr')
    await page.getByRole('heading', { name: 'Connexion à Waxwing' }).waitFor()
    expect(await page.getByLabel('Adresse e-mail').inputValue()).toBe(showcase.email)
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('fr')
    await page.getByLabel('Mot de passe', { exact: true }).fill(showcase.password)
    await page.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByRole('link', { name: 'Paramètres' }).click()
    const name = page.getByLabel('Nom', { exact: true }).first()
    await name.fill('Not saved yet')
    await page.getByRole('button', { name: showcase.email }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await page.getByRole('heading', { name: 'Standardabsender' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Not saved yet')
    await page.reload()
    await page.getByRole('heading', { name: 'Standardabsender' }).waitFor()
    expect(await page.title()).toBe('Allgemein · Einstellungen · Waxwing')
    expect(somebody.complaints).toEqual([])
    await somebody.close()
  })
})
