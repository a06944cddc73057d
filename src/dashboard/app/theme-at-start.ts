// Runs before anything is painted, so that a page that is to be dark never shows white first.
import { applyTheme, savedTheme } from './theme'

applyTheme(savedTheme())
