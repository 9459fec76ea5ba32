"""What a page says about itself: titles, authors, dates, structured data."""
