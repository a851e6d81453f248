"""The text: editor, tags, speakers, segments."""
