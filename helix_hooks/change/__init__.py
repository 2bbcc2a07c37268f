"""The change under review: its trees and settings, what it relaxes, who reviews what."""
