// Light, dark, or whatever the system says: kept in this browser.

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'waxwing.theme'

export function savedTheme(): Theme {
  return themes.find(theme => theme === localStorage.getItem(key)) ?? 'system'
}

export function saveTheme(theme: Theme): void {
  localStorage.setItem(key, theme)
  applyTheme(theme)
  dispatchEvent(new Event('themechange'))
}

/** The style sheet follows the system unless the document says otherwise. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme')
  else document.documentElement.dataset['theme'] = theme
}
